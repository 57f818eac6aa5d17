// What a run has written is read back.
#include <gtest/gtest.h>
#include <unistd.h>
#include <report/run_record.hpp>

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

TEST(a_run_record, reads_findings_and_the_digest_of_the_run) {
  const auto record =
      read_lines(to_json(example_race()).dump() + "\n" + R"({"run":"x","digest":7})");
  EXPECT_TRUE(record.is_complete);
  EXPECT_EQ(record.digest, 7u);
  ASSERT_EQ(record.findings.size(), 1u);
  const found& race = record.findings[0];
  EXPECT_EQ(to_json(race), to_json(example_race()));
  EXPECT_FALSE(race.is_candidate);
  EXPECT_FALSE(race.places[0].is_on_host);
}

TEST(a_run_record, is_incomplete_without_its_last_line_and_passes_over_half_of_one) {
  EXPECT_FALSE(read_lines("").is_complete);
  const auto record = read_lines(to_json(example_race()).dump() + "\n{\"kind\":\"ra");
  EXPECT_FALSE(record.is_complete);
  EXPECT_EQ(record.findings.size(), 1u);
}

TEST(a_run_record, is_incomplete_when_there_is_no_file) {
  EXPECT_FALSE(read_run_record("/nowhere/at/all").is_complete);
}

TEST(a_run_record, takes_loads_of_unwritten_bytes_for_candidates) {
  const auto record = read_lines(R"({"kind":"uninitialized","count":1,"places":[]}
{"kind":"mask","candidate":true,"places":[]}
{"kind":"mask","places":[]})");
  ASSERT_EQ(record.findings.size(), 3u);
  EXPECT_TRUE(record.findings[0].is_candidate);
  EXPECT_TRUE(record.findings[1].is_candidate);
  EXPECT_FALSE(record.findings[2].is_candidate);
}

TEST(a_run_record, knows_what_the_host_and_streams_have_done) {
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

TEST(a_run_record, names_the_allocation_of_a_leak_in_place_of_the_calls_on_the_way_there) {
  const auto record = read_lines(
      R"({"kind":"leak","count":2,"places":[{"role":"calls","file":"checker.cpp","line":1}],)"
      R"("memory":{"bytes":256,"allocated":{"file":"main.cu","line":3,"source":"cudaMalloc(&b, 256);"}}})");
  ASSERT_EQ(record.findings.size(), 1u);
  ASSERT_EQ(record.findings[0].places.size(), 1u);
  EXPECT_EQ(record.findings[0].places[0].at.file, "main.cu");
}

}  // namespace
}  // namespace heddle_report
