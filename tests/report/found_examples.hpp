// Example findings for the tests of the reports.
#pragma once
#include <report/check/check_report.hpp>

#include <string>

namespace heddle_report {

inline found_place lane_at(const std::string& role, const std::string& file, int line,
                           const std::string& source, unsigned thread = 0, unsigned block = 0) {
  found_place place;
  place.at = {file, line, source};
  place.role = role;
  place.block = {block, 0, 0};
  place.thread = {thread, 0, 0};
  place.warp = thread / 32;
  place.lane = thread % 32;
  place.kernel = "sum";
  return place;
}

// A race of two warps of kernel `sum`, lines 8 and 9 of sum.cu; the later access is listed first.
inline found example_race() {
  found race;
  race.kind = finding_kind::race;
  race.kernel = "sum";
  race.cause = finding_cause::unordered;
  race.places = {lane_at("reads", "sum.cu", 9, "out = parts[0] + parts[1];", 0),
                 lane_at("writes", "sum.cu", 8, "parts[warp] = part;", 32)};
  race.memory = found_memory{};
  race.memory->variable = "parts";
  race.memory->is_shared = true;
  race.memory->bytes = 16;
  race.memory->offset = 4;
  return race;
}

inline found example_leak() {
  found leak;
  leak.kind = finding_kind::leak;
  leak.cause = finding_cause::leaked_memory;
  leak.memory = found_memory{};
  leak.memory->bytes = 256;
  leak.memory->allocated = {"main.cu", 3, "cudaMalloc((void**)&buffer, 256);"};
  leak.places = {lane_at("allocates", "main.cu", 3, "cudaMalloc((void**)&buffer, 256);")};
  leak.places[0].is_on_host = true;
  leak.places[0].kernel.clear();
  return leak;
}

inline check_report example_report() {
  check_report report;
  report.program = "sum.cu";
  report.replay_before = "heddle check --replay ";
  report.replay_after = " sum.cu";
  report.schedules = {{"converged", 0, 0.1}, {"random:1", 0, 0.1}, {"pct:1", 0, 0.1}};
  report.planned = 3;
  report.begun = 3;
  report.counts_leaks = true;
  merge all;
  all.add(example_leak(), "converged");
  all.add(example_race(), "random:1");
  all.add(example_race(), "pct:1");
  report.findings = all.findings();
  return report;
}

}  // namespace heddle_report
