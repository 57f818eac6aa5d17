// Queries that all report formats share.
#include "report/check/check_report.hpp"

#include <algorithm>

#include "report/check/causes.hpp"
#include "report/check/kinds.hpp"

namespace heddle_report {

bool check_report::is_note(const merged_finding& one) const {
  if (cause_of(one.first.cause).is_note) return !is_strict;
  return one.first.kind == finding_kind::leak && !counts_leaks &&
         std::find(fatal_kinds.begin(), fatal_kinds.end(), "leak") == fatal_kinds.end();
}

bool check_report::is_fatal(const merged_finding& one) const {
  return one.silenced_by.empty() && !is_note(one) &&
         (fatal_kinds.empty() || std::find(fatal_kinds.begin(), fatal_kinds.end(),
                                           name_of(one.first.kind)) != fatal_kinds.end());
}

std::size_t check_report::count_silenced() const {
  return static_cast<std::size_t>(
      std::count_if(findings.begin(), findings.end(),
                    [](const merged_finding& one) { return !one.silenced_by.empty(); }));
}

bool check_report::fails() const {
  return std::any_of(findings.begin(), findings.end(),
                     [this](const merged_finding& one) { return is_fatal(one); });
}

std::string check_report::replay_line(const merged_finding& one) const {
  return replay_before + (one.schedules.empty() ? "converged" : one.schedules.front()) +
         replay_after;
}

}  // namespace heddle_report
