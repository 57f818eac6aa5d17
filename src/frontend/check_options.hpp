// The options of `heddle check` beside those of the compiler.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::frontend {

class option_table;

// What `heddle check` is asked for besides the build.
struct check_options {
  std::string program;                     // built before; empty: from the inputs
  std::string schedule;                    // only this one; empty: several
  std::optional<std::uint64_t> seed;       // the first
  std::optional<std::uint64_t> schedules;  // how many
  std::optional<double> seconds;           // how long
  std::uint64_t blocks = 0;                // of each grid that are watched; 0: all
  bool checks_all = false;                 // launches, however many there are of a kernel
  double budget = 120;                     // seconds of processor time for a schedule; 0: none
  bool allows_no_kernels = false;
  bool counts_leaks = false;
  bool is_strict = false;
  bool shows_progress = false;               // also where nobody sits at a terminal
  std::optional<std::uint64_t> preemptions;  // at most so many, for the schedule exhaustive
  std::string replay;                        // `random:3`
  bool writes_json = false;
  std::string json_file;  // empty: standard output
  std::string sarif_file;
  std::string junit_file;
  std::vector<std::string> fatal_kinds;
  std::vector<std::string> suppression_files;
  std::string baseline_file;
  bool writes_baseline = false;
};

// True if the word after `--json` is where the report goes, not a file to build.
bool names_json_output(const std::string& word);

// The options fill `place`, which must outlive the table.
void describe(option_table& options, check_options& place);

}  // namespace heddle::frontend
