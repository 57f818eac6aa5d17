// Suppressions and baselines.
#include <gtest/gtest.h>
#include <report/check/suppressions.hpp>

#include <sstream>

#include "found_examples.hpp"

namespace heddle_report {
namespace {

std::string match_with(const std::string& lines, const found& what) {
  suppressions all;
  std::istringstream text(lines);
  all.read(text, "known.txt");
  return all.match(what);
}

TEST(suppression_file, matches_a_kind_and_a_kernel_or_file) {
  const found race = example_race();
  EXPECT_EQ(match_with("race sum\n", race), "known.txt:1");
  EXPECT_EQ(match_with("# known\n\nrace   su*  # old\n", race), "known.txt:3");
  EXPECT_EQ(match_with("* sum.cu\n", race), "known.txt:1");
  EXPECT_EQ(match_with("race sum.cu:8\n", race), "known.txt:1");
  EXPECT_EQ(match_with("race sum.cu:10\n", race), "");
  EXPECT_EQ(match_with("leak sum\n", race), "");
  EXPECT_EQ(match_with("race other\n", race), "");
  EXPECT_EQ(match_with("", race), "");
}

TEST(suppression_file, matches_a_template_with_and_without_its_arguments) {
  found race = example_race();
  race.kernel = "add<T = int>";
  EXPECT_NE(match_with("race add\n", race), "");
  EXPECT_NE(match_with("race add<T = int>\n", race), "");
  EXPECT_EQ(match_with("race add<T = float>\n", race), "");
}

TEST(suppression_file, matches_every_frame_of_a_call_chain) {
  found race = example_race();
  race.places[0].frames = {{"outer", {"/opt/vendor/outer.cuh", 3, "", 0}},
                           {"inner", {"/opt/vendor/inner.cuh", 7, "", 0}}};
  EXPECT_NE(match_with("race outer.cuh\n", race), "");
  EXPECT_NE(match_with("race /opt/vendor/inner.cuh:7\n", race), "");
  EXPECT_EQ(match_with("race inner.cuh:8\n", race), "");
}

TEST(suppression_file, refuses_malformed_lines_with_file_and_line) {
  const auto message = [](const std::string& lines) -> std::string {
    try {
      match_with(lines, example_race());
    } catch (const std::runtime_error& failure) {
      return failure.what();
    }
    return "";
  };
  EXPECT_NE(message("race sum\nraces sum\n").find("known.txt:2: unknown kind 'races'"),
            std::string::npos);
  EXPECT_NE(message("race\n").find("known.txt:1: "), std::string::npos);
}

TEST(baseline, matches_the_report_it_was_written_from) {
  const check_report report = example_report();
  std::istringstream text(baseline_of(report.findings));
  const auto known = read_baseline(text, "baseline.txt");
  EXPECT_EQ(known.size(), 2u);
  for (const merged_finding& one : report.findings) EXPECT_EQ(known.count(one.fingerprint), 1u);
  std::istringstream empty(baseline_of({}));
  EXPECT_TRUE(read_baseline(empty, "baseline.txt").empty());
}

TEST(baseline, refuses_other_files) {
  std::istringstream text("race sum\n");
  EXPECT_THROW(read_baseline(text, "known.txt"), std::runtime_error);
  std::istringstream nothing("");
  EXPECT_THROW(read_baseline(nothing, "known.txt"), std::runtime_error);
}

}  // namespace
}  // namespace heddle_report
