// Decides whether what only may be a defect is one: by running the program again, a little
// different.
#include "candidate_judge.hpp"

#include <report/merge.hpp>
#include <report/outputs.hpp>

#include <algorithm>
#include <array>

namespace heddle::cli {
namespace {

using heddle_report::found;

// What a person sees of a run: lines in any order, and how it ended.
bool look_alike(const checked_run& a, const checked_run& b) {
  return a.outcome.status == b.outcome.status &&
         heddle_report::difference_of_outputs(a.outcome.output, "", b.outcome.output, "").empty();
}

}  // namespace

bool candidate_judge::is_convicted(const found& candidate) const {
  return std::find(convicted_.begin(), convicted_.end(), fingerprint_of(candidate)) !=
         convicted_.end();
}

void candidate_judge::judge(const schedule_choice& schedule, const checked_run& one) {
  const auto is_open = [this](const found& what) {
    return what.is_candidate && !is_convicted(what);
  };
  const auto& all = one.record.findings;
  if (std::none_of(all.begin(), all.end(), is_open) || !depends_on_parting(schedule, one)) return;
  for (const found& what : all) {
    if (is_open(what)) convicted_.push_back(fingerprint_of(what));
  }
}

// Whether the result is another one because the schedule has parted lanes that asked together who
// is active, and for no other reason: without that it must be the same whatever the order.
bool candidate_judge::depends_on_parting(const schedule_choice& schedule,
                                         const checked_run& one) const {
  const variation together{false};
  const checked_run whole = run_(schedule, together);
  if (!whole.record.is_complete || look_alike(one, whole)) return false;
  if (!look_alike(one, run_(schedule, {}))) return false;
  const std::array<schedule_choice, 6> others{{{"converged", 1, {}},
                                               {"random", 101, {}},
                                               {"pct", 101, {}},
                                               {"random", 102, {}},
                                               {"starve", 101, {}},
                                               {"random", 103, {}}}};
  return std::all_of(others.begin(), others.end(), [&](const schedule_choice& other) {
    return interruption() == 0 && look_alike(whole, run_(other, together));
  });
}

}  // namespace heddle::cli
