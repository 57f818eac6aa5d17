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

bool depends_on_schedule(const found& candidate) { return candidate.kind == "schedule-dependent"; }

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
  for (const bool by_schedule : {false, true}) {
    const auto is_meant = [&](const found& what) {
      return is_open(what) && depends_on_schedule(what) == by_schedule;
    };
    const auto& all = one.record.findings;
    if (std::none_of(all.begin(), all.end(), is_meant)) continue;
    if (!(by_schedule ? depends_on_parting(schedule, one) : depends_on_poison(schedule, one)))
      continue;
    for (const found& what : all) {
      if (is_meant(what)) convicted_.push_back(fingerprint_of(what));
    }
  }
}

// Whether other bytes in fresh memory, or in the place of absent lanes, make another run of it.
bool candidate_judge::depends_on_poison(const schedule_choice& schedule,
                                        const checked_run& one) const {
  const auto& others = heddle_checker::other_poisons;
  return std::any_of(others.begin(), others.end(), [&](std::uint64_t poison) {
    return depends_on_poison(schedule, one, poison);
  });
}

// What differs from run to run anyway (times, addresses that a container does not let us fix) says
// nothing, so both are done twice.
bool candidate_judge::depends_on_poison(const schedule_choice& schedule, const checked_run& one,
                                        std::uint64_t poison) const {
  const variation other_bytes{poison, true};
  const checked_run other = run_(schedule, other_bytes);
  const bool is_same = one.record.digest == other.record.digest &&
                       one.outcome.status == other.outcome.status &&
                       one.outcome.output == other.outcome.output;
  if (is_same || interruption() != 0) return false;
  const checked_run again = run_(schedule, {});
  const checked_run other_again = run_(schedule, other_bytes);
  if (interruption() != 0) return false;
  const auto shows = [&](const auto& sign) {
    return sign(one) == sign(again) && sign(other) == sign(other_again) && sign(one) != sign(other);
  };
  return shows([](const checked_run& run) { return run.record.digest; }) ||
         shows([](const checked_run& run) { return run.outcome.status; }) ||
         shows([](const checked_run& run) { return run.outcome.output; });
}

// Whether the result is another one because the schedule has parted lanes that asked together who
// is active, and for no other reason: without that it must be the same whatever the order.
bool candidate_judge::depends_on_parting(const schedule_choice& schedule,
                                         const checked_run& one) const {
  const variation together{heddle_checker::first_poison, false};
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
