// What one checked run has left behind, read back from the lines of its file.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "checker/coverage.hpp"
#include "report/exploration.hpp"
#include "report/found.hpp"

namespace heddle_report {

struct run_record {
  std::vector<found> findings;
  bool is_complete = false;  // the program came to its end and said so
  std::string stopped;       // why the program could not go on; empty: it could
  std::string unfinished;    // the kernel that was stopped because it got nowhere; empty: none
  heddle_checker::coverage covered;
  bool has_released = false;  // a lane, to others than its whole block
  std::optional<exploration> explored;
};

// Where a run is that has not ended.
struct run_position {
  std::string kernel;
  std::uint64_t ended = 0;  // of its blocks
  std::uint64_t blocks = 0;
  bool operator==(const run_position&) const = default;
};
// Nothing if the run has not said so, or is just about to.
std::optional<run_position> read_run_position(const std::filesystem::path& findings_file);

// Lines that are no JSON are passed over: a program that is killed may leave half of one.
run_record read_run_record(const std::filesystem::path& file);

}  // namespace heddle_report
