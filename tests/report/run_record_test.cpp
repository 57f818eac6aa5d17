// Reads back the record that a run has written.
#include <gtest/gtest.h>
#include <unistd.h>
#include <report/check/causes.hpp>
#include <report/check/found_json.hpp>
#include <report/check/kinds.hpp>
#include <report/check/run_record.hpp>

#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>

#include "found_examples.hpp"

namespace heddle_report {
namespace {

run_record read_lines(const std::string& text) {
  const auto path =
      std::filesystem::temp_directory_path() / ("heddle_run_record_" + std::to_string(::getpid()));
  std::ofstream(path) << text;
  run_record record = read_run_record(path);
  std::filesystem::remove(path);
  return record;
}

TEST(run_record_test, reads_findings_and_the_end_of_the_run) {
  const auto record = read_lines(to_json(example_race()).dump() + "\n" + R"({"run":"x"})");
  EXPECT_TRUE(record.is_complete);
  ASSERT_EQ(record.findings.size(), 1u);
  const found& race = record.findings[0];
  EXPECT_EQ(to_json(race), to_json(example_race()));
  EXPECT_FALSE(race.is_candidate);
  EXPECT_FALSE(race.places[0].is_on_host);
}

TEST(run_record_test, is_incomplete_without_its_last_line_and_skips_a_partial_one) {
  EXPECT_FALSE(read_lines("").is_complete);
  const auto record = read_lines(to_json(example_race()).dump() + "\n{\"kind\":\"ra");
  EXPECT_FALSE(record.is_complete);
  EXPECT_EQ(record.findings.size(), 1u);
}

TEST(run_record_test, is_incomplete_if_there_is_no_file) {
  EXPECT_FALSE(read_run_record("/nowhere/at/all").is_complete);
}

TEST(run_record_test, reads_candidates) {
  const auto record = read_lines(R"({"kind":"mask","candidate":true,"places":[]}
{"kind":"mask","places":[]})");
  ASSERT_EQ(record.findings.size(), 2u);
  EXPECT_TRUE(record.findings[0].is_candidate);
  EXPECT_FALSE(record.findings[1].is_candidate);
}

TEST(run_record_test, counts_the_watched_blocks) {
  const auto record = read_lines(R"({"run":"converged","covered":{"blocks_watched":7,"blocks":200}}
{"run":"converged","covered":{"blocks_watched":7,"blocks":100}})");
  EXPECT_EQ(record.covered.blocks_watched, 14u);
  EXPECT_EQ(record.covered.blocks, 300u);
}

TEST(run_position, is_read_during_the_run) {
  const auto findings =
      std::filesystem::temp_directory_path() / ("heddle-position-" + std::to_string(::getpid()));
  const std::string file = findings.string() + ".now";
  EXPECT_FALSE(read_run_position(findings).has_value());
  std::ofstream(file) << R"({"kernel": "sum", "en)";
  EXPECT_FALSE(read_run_position(findings).has_value()) << "half of a line";
  std::ofstream(file) << R"({"kernel": "sum", "ended": 3, "blocks": 12})" << '\n';
  EXPECT_EQ(read_run_position(findings), (run_position{"sum", 3, 12}));
  std::filesystem::remove(file);
}

TEST(run_record_test, reads_places_of_the_host_and_of_streams) {
  const std::string lines =
      R"({"kind":"race","count":1,"kernel":"k","places":[{"role":"reads","kernel":"k"},)"
      R"({"role":"writes","host":true},)"
      R"({"role":"copies","host":true,"stream":true,"overwrites":true}]})";
  const auto record = read_lines(lines);
  ASSERT_EQ(record.findings.size(), 1u);
  const auto& places = record.findings[0].places;
  EXPECT_FALSE(places[0].is_on_host);
  EXPECT_TRUE(places[1].is_on_host);
  EXPECT_FALSE(places[1].is_in_stream);
  EXPECT_TRUE(places[2].is_on_host && places[2].is_in_stream && places[2].overwrites);
  const auto again = read_lines(to_json(record.findings[0]).dump());
  EXPECT_EQ(to_json(again.findings.at(0)), to_json(record.findings[0]));
}

// One example of each fact.
std::vector<finding_fact> example_facts() {
  return {{},
          heddle_host::array_index{-3, "'float [5]'"},
          heddle_host::alignment_rule{16, 24},
          heddle_host::failed_assertion{"i < \"n\""},
          heddle_host::raised_signal{11, 0xffffffffffffff00},
          heddle_host::time_limit{2.5},
          heddle_host::stack_limit{65536},
          heddle_host::unknown_order{},
          heddle_host::cuda_error{"cudaErrorInvalidValue",
                                  "invalid argument",
                                  {heddle_host::launch_limit::grid_height, 70000, 65535}},
          heddle_host::shift_distance{-1, 32}};
}

TEST(finding_json, round_trips_every_field) {
  static_assert(std::variant_size_v<finding_fact> == 10, "example_facts() has an example for each");
  for (const finding_fact& fact : example_facts()) {
    found one = example_race();
    one.fact = fact;
    one.count = 7;
    one.is_candidate = true;
    one.memory->allocated = {"a.cu", 1, "int parts[4];"};
    one.memory->is_declared = true;
    one.memory->freed = {"a.cu", 2, "cudaFree(parts);"};
    one.places[0].mask = 0xff;
    one.places[0].is_copy = true;
    one.places[0].at.column = 5;
    one.places[0].frames = {{"heddle::block::reduce", {"reduce.cuh", 57, "return sum;", 3}}};
    const found again = read_finding(to_json(one));
    EXPECT_EQ(again.kind, one.kind);
    EXPECT_EQ(again.cause, one.cause);
    EXPECT_EQ(again.fact.index(), fact.index());
    EXPECT_EQ(again.count, one.count);
    EXPECT_TRUE(again.is_candidate);
    EXPECT_TRUE(again.places[0].is_copy);
    EXPECT_EQ(again.places[0].at.column, 5);
    ASSERT_EQ(again.places[0].frames.size(), 1u);
    EXPECT_EQ(again.places[0].frames[0].function, "heddle::block::reduce");
    EXPECT_EQ(again.places[0].frames[0].at.line, 57);
    EXPECT_EQ(again.memory->freed.line, 2);
    EXPECT_EQ(to_json(again), to_json(one)) << "among them the values of the fact";
  }
}

TEST(finding_json, round_trips_every_kind_and_cause) {
  for (const defect_kind& kind : all_kinds()) {
    for (const defect_cause& cause : all_causes()) {
      found one;
      one.kind = kind.kind;
      one.cause = cause.cause;
      const nlohmann::json written = to_json(one);
      EXPECT_EQ(written["kind"], kind.name);
      EXPECT_EQ(written.value("cause", "none"), cause.name);
      EXPECT_EQ(read_finding(written).kind, kind.kind);
      EXPECT_EQ(read_finding(written).cause, cause.cause);
    }
  }
}

TEST(finding_json, refuses_an_unknown_kind_or_cause) {
  EXPECT_THROW(read_finding({{"kind", "rage"}}), std::invalid_argument);
  EXPECT_THROW(read_finding({{"kind", "race"}, {"cause", "bad luck"}}), std::invalid_argument);
}

}  // namespace
}  // namespace heddle_report
