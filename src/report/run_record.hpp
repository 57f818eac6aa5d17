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
  std::optional<exploration> explored;
};

// Lines that are no JSON are passed over: a program that is killed may leave half of one.
run_record read_run_record(const std::filesystem::path& file);

}  // namespace heddle_report
