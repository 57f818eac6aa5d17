// Lines that never ran: ranges, words and JSON.
#include <gtest/gtest.h>
#include <report/check/never_ran.hpp>
#include <report/check/ran_lines.hpp>

#include <nlohmann/json.hpp>

namespace heddle_report {
namespace {

using nlohmann::json;

std::set<line_of_file> lines_of_file(const char* file, const std::vector<int>& lines) {
  std::set<line_of_file> all;
  for (const int line : lines) all.insert({file, line});
  return all;
}

TEST(line_ranges, include_lines_without_code_and_end_at_lines_that_ran) {
  const auto with_code = lines_of_file("a.cu", {3, 4, 5, 8, 9, 12, 20});
  const auto ranges = ranges_of(lines_of_file("a.cu", {4, 5, 8, 12, 20}), with_code);
  EXPECT_EQ(ranges, (std::vector<line_range>{{"a.cu", 4, 8}, {"a.cu", 12, 20}}));
}

TEST(line_ranges, do_not_cross_files) {
  auto lines = lines_of_file("a.cu", {1, 2});
  lines.merge(lines_of_file("b.cu", {2, 3}));
  const auto ranges = ranges_of(lines, lines);
  EXPECT_EQ(ranges, (std::vector<line_range>{{"a.cu", 1, 2}, {"b.cu", 2, 3}}));
}

TEST(never_ran_report, groups_lines_by_file) {
  const never_ran what{
      true, {{"a.cu", 14, 17}, {"a.cu", 23, 23}, {"b.cuh", 8, 8}}, {"unused", "scale<double>"}};
  EXPECT_EQ(text_of(what),
            "lines that never ran: a.cu:14-17, 23; b.cuh:8\n"
            "kernels that never ran: `unused`, `scale<double>`\n");
  json coverage;
  add_json(coverage, what);
  EXPECT_EQ(coverage, (json{{"lines_never_run",
                             {{{"file", "a.cu"}, {"first", 14}, {"last", 17}},
                              {{"file", "a.cu"}, {"first", 23}, {"last", 23}},
                              {{"file", "b.cuh"}, {"first", 8}, {"last", 8}}}},
                            {"kernels_never_run", {"unused", "scale<double>"}}}));
}

TEST(never_ran_report, is_shortened_if_it_is_long) {
  never_ran what{true, {}, {"a", "b", "c", "d", "e", "f"}};
  for (int i = 1; i <= 11; ++i) what.lines.push_back({"a.cu", 2 * i, 2 * i});
  EXPECT_EQ(text_of(what),
            "lines that never ran: a.cu:2, 4, 6, 8, 10, 12, 14, 16, and 3 more\n"
            "kernels that never ran: `a`, `b`, `c`, `d`, and 2 more\n");
  json coverage;
  add_json(coverage, what);
  EXPECT_EQ(coverage["lines_never_run"].size(), 11u);
  EXPECT_EQ(coverage["kernels_never_run"].size(), 6u);
}

TEST(never_ran_report, is_empty_if_all_lines_ran_or_nothing_is_known) {
  EXPECT_EQ(text_of(never_ran{true, {}, {}}), "");
  EXPECT_EQ(text_of(never_ran{}), "");
  json all_ran = json::object();
  add_json(all_ran, {true, {}, {}});
  EXPECT_EQ(all_ran["lines_never_run"], json::array());
  json unknown = json::object();
  add_json(unknown, {});
  EXPECT_EQ(unknown, json::object()) << "no list is not the same as an empty one";
}

TEST(executed_lines, are_unknown_without_a_program) {
  heddle_host::ran_module marks{0, 0, 1, "/nowhere/at/all"};
  ran_lines ran;
  ran.add(marks);
  ran.add_folder("/nowhere/at/all");
  EXPECT_FALSE(ran.result().is_known);
}

}  // namespace
}  // namespace heddle_report
