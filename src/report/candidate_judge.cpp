// Decides whether what only may be a defect is one: by running the program again, a little
// different.
#include "report/candidate_judge.hpp"

#include <algorithm>
#include <array>

#include "report/merge.hpp"
#include "report/outputs.hpp"

namespace heddle_report {
namespace {

bool depends_on_schedule(const found& candidate) {
  return candidate.kind == finding_kind::schedule_dependent;
}

// What a person sees of a run: lines in any order, and how it ended.
bool look_alike(const judged_run& a, const judged_run& b) {
  return a.status == b.status && difference_of_outputs(a.output, "", b.output, "").empty();
}

}  // namespace

bool candidate_judge::is_defect(const found& what) const {
  return !what.is_candidate ||
         std::find(convicted_.begin(), convicted_.end(), fingerprint_of(what)) != convicted_.end();
}

bool candidate_judge::has_work(const std::vector<found>& findings) const {
  return std::any_of(findings.begin(), findings.end(),
                     [this](const found& what) { return !is_defect(what); });
}

void candidate_judge::judge(const std::string& schedule, const std::vector<found>& findings,
                            const judged_run& usual) {
  for (const bool by_schedule : {false, true}) {
    std::vector<std::string> accused;
    for (const found& what : findings) {
      if (!is_defect(what) && depends_on_schedule(what) == by_schedule) {
        accused.push_back(fingerprint_of(what));
      }
    }
    if (accused.empty()) continue;
    if (by_schedule ? depends_on_parting(schedule, usual) : depends_on_poison(schedule, usual)) {
      convicted_.insert(convicted_.end(), accused.begin(), accused.end());
    }
  }
}

// Whether other bytes in fresh memory, or in the place of absent lanes, make another run of it.
bool candidate_judge::depends_on_poison(const std::string& schedule,
                                        const judged_run& usual) const {
  const auto& others = heddle_checker::other_poisons;
  return std::any_of(others.begin(), others.end(), [&](std::uint64_t poison) {
    return depends_on_poison(schedule, usual, poison);
  });
}

// What differs from run to run anyway (times, addresses that a container does not let us fix) says
// nothing, so both are done twice.
bool candidate_judge::depends_on_poison(const std::string& schedule, const judged_run& usual,
                                        std::uint64_t poison) const {
  const run_variation other_bytes{poison, true};
  const auto other = run_(schedule, other_bytes);
  if (!other) return false;
  const bool is_same = usual.digest == other->digest && usual.status == other->status &&
                       usual.output == other->output;
  if (is_same) return false;
  const auto again = run_(schedule, {});
  if (!again) return false;
  const auto other_again = run_(schedule, other_bytes);
  if (!other_again) return false;
  const auto shows = [&](auto sign) {
    return usual.*sign == (*again).*sign && (*other).*sign == (*other_again).*sign &&
           usual.*sign != (*other).*sign;
  };
  return shows(&judged_run::digest) || shows(&judged_run::status) || shows(&judged_run::output);
}

// Whether the result is another one because the schedule has parted lanes that asked together who
// is active, and for no other reason: without that it must be the same whatever the order.
bool candidate_judge::depends_on_parting(const std::string& schedule,
                                         const judged_run& usual) const {
  const run_variation together{heddle_checker::first_poison, false};
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
