// All that one call of `heddle check` has found out, before it becomes text.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "checker/coverage.hpp"
#include "report/exploration.hpp"
#include "report/merge.hpp"
#include "report/never_ran.hpp"

namespace heddle_report {

struct checked_schedule {
  std::string name;  // `random:3`
  int status = 0;    // of the program; 128 + the signal's number if one ended it
  double seconds = 0;
};

struct check_report {
  std::string program;        // what was checked: `reduce.cu`
  std::string replay_before;  // `heddle check --replay `, and
  std::string replay_after;   // ` reduce.cu -- 100`: the schedule stands in between
  std::vector<checked_schedule> schedules;
  std::size_t planned = 0;  // schedules; 0: as many as there is time for
  double seconds = 0;
  std::vector<merged_finding> findings;  // silenced ones too
  std::vector<std::string> notes;        // no findings: outputs that differ, exit codes
  std::vector<std::string> fatal_kinds;  // kinds that make the check fail; empty: all
  bool counts_leaks = false;             // else they are notes
  bool is_strict = false;                // notes count like findings
  bool was_broken_off = false;
  std::size_t begun = 0;                // schedules; those of `schedules` came to their end
  heddle_checker::coverage covered;     // by the first
  never_ran missed;                     // in all of them
  std::string failure;                  // why the program was not run to its end; empty: it was
  std::optional<exploration> explored;  // in place of schedules

  [[nodiscard]] bool is_fatal(const merged_finding& one) const;
  // It is shown, and that is all.
  [[nodiscard]] bool is_note(const merged_finding& one) const;
  [[nodiscard]] std::size_t count_silenced() const;
  [[nodiscard]] bool fails() const;
  [[nodiscard]] std::string replay_line(const merged_finding& one) const;
};

// For people.
std::string text_of(const check_report& what, bool has_colour);
// A finding as the program that has it says it, without colour.
std::string text_of(const found& what);
// One finding of the report, without colour.
std::string text_of(const merged_finding& one, const check_report& in);

// What was launched and looked at, by the first of the schedules.
std::string covered_line(const heddle_checker::coverage& what, std::size_t completed,
                         std::size_t begun);
nlohmann::json coverage_json(const check_report& what);

// For programs.
nlohmann::json json_of(const check_report& what, const std::string& version);

// SARIF 2.1.0, for code scanning. `help_folder` holds the page of each kind: `race.md`.
nlohmann::json sarif_of(const check_report& what, const std::string& version,
                        const std::string& help_folder);

// JUnit's XML: a test case for each kind of defect.
std::string junit_of(const check_report& what);

}  // namespace heddle_report
