// The options of `heddle check`, apart from the compiler's.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::frontend {

class option_table;

// The options of `heddle check` that do not concern the build.
struct check_options {
  std::string program;                     // already built; empty: build it from the inputs
  std::string schedule;                    // the only schedule; empty: several
  std::optional<std::uint64_t> seed;       // of the first schedule
  std::optional<std::uint64_t> schedules;  // how many
  std::optional<double> seconds;           // time limit for all schedules
  std::uint64_t blocks = 0;                // how many blocks of each grid to check; 0: all
  bool checks_all = false;                 // check every launch, however many a kernel has
  double budget = 120;                     // CPU seconds per schedule; 0: no limit
  bool allows_no_kernels = false;
  bool counts_leaks = false;
  bool is_strict = false;
  bool shows_progress = false;               // even if standard error is not a terminal
  std::optional<std::uint64_t> preemptions;  // upper limit, for the schedule `exhaustive`
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

// True if the word after `--json` is the output file, not a file to build.
bool names_json_output(const std::string& word);

// The options write to `place`, which must outlive the table.
void describe(option_table& options, check_options& place);

}  // namespace heddle::frontend
