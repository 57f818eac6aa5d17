// The result of one `heddle check`, before it is formatted.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "checker/coverage.hpp"
#include "report/check/exploration.hpp"
#include "report/check/merge.hpp"
#include "report/check/never_ran.hpp"
#include "report/fidelity/fidelity_report.hpp"

namespace heddle_report {

struct checked_schedule {
  std::string name;  // `random:3`
  int status = 0;    // the program's exit status; 128 + the signal number if a signal killed it
  double seconds = 0;
};

struct check_report {
  std::string program;        // the program checked: `reduce.cu`
  std::string replay_before;  // `heddle check --replay `, and
  std::string replay_after;   // ` reduce.cu -- 100`: the schedule goes between the two
  std::vector<checked_schedule> schedules;
  std::size_t planned = 0;  // number of schedules; 0: as many as time allows
  double seconds = 0;
  std::vector<merged_finding> findings;  // including suppressed ones
  std::vector<std::string> notes;        // not findings: outputs that differ, exit codes
  std::vector<std::string> fatal_kinds;  // kinds that make the check fail; empty: all
  bool counts_leaks = false;             // otherwise leaks are notes
  bool is_strict = false;                // notes count like findings
  bool was_interrupted = false;
  std::size_t begun = 0;             // schedules started; `schedules` holds those that finished
  heddle_checker::coverage covered;  // by the first schedule
  never_ran missed;                  // by every schedule
  fidelity_report fidelity;          // of the code that ran in any schedule
  std::string fidelity_line;         // what is not exact, for the text; empty if nothing
  std::string failure;               // why the program did not run to completion; empty if it did
  std::optional<exploration> explored;  // set instead of `schedules`

  [[nodiscard]] bool is_fatal(const merged_finding& one) const;
  // Whether the finding is shown but does not count.
  [[nodiscard]] bool is_note(const merged_finding& one) const;
  [[nodiscard]] std::size_t count_silenced() const;
  [[nodiscard]] bool fails() const;
  [[nodiscard]] std::string replay_line(const merged_finding& one) const;
};

// The report for a terminal.
std::string text_of(const check_report& what, bool has_colour);
// A finding as a program prints it when it runs outside of `heddle check`, without colour.
std::string text_of(const found& what);
// One finding of the report, without colour.
std::string text_of(const merged_finding& one, const check_report& in);

// The kernels, launches and accesses that the first schedule covered.
std::string covered_line(const heddle_checker::coverage& what, std::size_t completed,
                         std::size_t begun);
nlohmann::json coverage_json(const check_report& what);

// The report as JSON.
nlohmann::json json_of(const check_report& what, const std::string& version);

// SARIF 2.1.0, for code scanning. `help_folder` holds a page for each kind, such as `race.md`.
nlohmann::json sarif_of(const check_report& what, const std::string& version,
                        const std::string& help_folder);

// JUnit XML, with one test case for each kind of defect.
std::string junit_of(const check_report& what);

}  // namespace heddle_report
