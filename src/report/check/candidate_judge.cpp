// Runs the program again with small variations to decide whether a candidate is a defect.
#include "report/check/candidate_judge.hpp"

#include <algorithm>
#include <array>

#include "report/check/merge.hpp"
#include "report/outputs.hpp"

namespace heddle_report {
namespace {

// True if both runs exit alike and print the same lines, in any order.
bool look_alike(const judged_run& a, const judged_run& b) {
  return a.status == b.status && difference_of_outputs({"", a.output}, {"", b.output}).text.empty();
}

}  // namespace

bool candidate_judge::is_defect(const found& what) const {
  return !what.is_candidate ||
         std::find(convicted_.begin(), convicted_.end(), fingerprint_of(what)) != convicted_.end();
}

void candidate_judge::convict(const found& what) { convicted_.push_back(fingerprint_of(what)); }

bool candidate_judge::has_work(const std::vector<found>& findings) const {
  return std::any_of(findings.begin(), findings.end(),
                     [this](const found& what) { return !is_defect(what); });
}

void candidate_judge::judge(const std::string& schedule, const std::vector<found>& findings,
                            const judged_run& usual) {
  if (!has_work(findings) || !depends_on_parting(schedule, usual)) return;
  for (const found& what : findings) {
    if (!is_defect(what)) convict(what);
  }
}

// Whether the result changes because, and only because, this schedule splits lanes that call
// __activemask() together: with such lanes kept together, every schedule must give the same result.
bool candidate_judge::depends_on_parting(const std::string& schedule,
                                         const judged_run& usual) const {
  const run_variation together{false};
  const auto whole = run_(schedule, together);
  if (!whole || !whole->is_complete || look_alike(usual, *whole)) return false;
  const auto again = run_(schedule, {});
  if (!again || !look_alike(usual, *again)) return false;
  constexpr std::array others{"converged",  "random:101", "pct:101",
                              "random:102", "starve:101", "random:103"};
  return std::all_of(others.begin(), others.end(), [&](const char* other) {
    const auto run = run_(other, together);
    return run && look_alike(*whole, *run);
  });
}

}  // namespace heddle_report
