// The results of one checked run, read back from its file.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "checker/coverage.hpp"
#include "report/check/exploration.hpp"
#include "report/check/found.hpp"

namespace heddle_report {

struct run_record {
  std::vector<found> findings;
  bool is_complete = false;  // the program finished and reported so
  std::string stopped;       // why the program could not continue; empty if it could
  std::string unfinished;    // the kernel that was stopped for lack of progress; empty: none
  heddle_checker::coverage covered;
  bool has_released = false;  // lanes synchronised by other means than a block barrier
  std::optional<exploration> explored;
};

// How far an unfinished run has got.
struct run_position {
  std::string kernel;
  std::uint64_t ended = 0;  // how many blocks have finished
  std::uint64_t blocks = 0;
  bool operator==(const run_position&) const = default;
};
// Nothing if the run has not reported its position, or is just writing it.
std::optional<run_position> read_run_position(const std::filesystem::path& findings_file);

// Skips lines that are not JSON: a killed program may leave a partial one.
run_record read_run_record(const std::filesystem::path& file);

}  // namespace heddle_report
