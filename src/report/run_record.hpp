// What one checked run has left behind, read back from the lines of its file.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "report/exploration.hpp"
#include "report/found.hpp"

namespace heddle_report {

struct run_record {
  std::vector<found> findings;
  bool is_complete = false;  // the program came to its end and said so
  std::string stopped;       // why the program could not go on; empty: it could
  // Where not all blocks were to be watched.
  std::uint64_t blocks_watched = 0, blocks = 0;
  std::optional<exploration> explored;
};

// Lines that are no JSON are passed over: a program that is killed may leave half of one.
run_record read_run_record(const std::filesystem::path& file);

}  // namespace heddle_report
