// Decides whether what only may be a defect is one: by running the program again, a little
// different.
#pragma once
#include <report/run_record.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "checked_child.hpp"
#include "schedule_plan.hpp"

namespace heddle::cli {

// How a run differs from the usual one of its schedule.
struct variation {
  bool parts_active_lanes = true;  // false: lanes that ask together who is active are told so
};

struct checked_run {
  child_outcome outcome;
  heddle_report::run_record record;
};

class candidate_judge {
 public:
  using runner = std::function<checked_run(const schedule_choice&, const variation&)>;
  explicit candidate_judge(runner run) : run_(std::move(run)) {}

  // Judges those candidates of a run that are not yet convicted.
  void judge(const schedule_choice& schedule, const checked_run& one);
  [[nodiscard]] bool is_convicted(const heddle_report::found& candidate) const;

 private:
  [[nodiscard]] bool depends_on_parting(const schedule_choice& schedule,
                                        const checked_run& one) const;

  runner run_;
  std::vector<std::string> convicted_;  // fingerprints
};

}  // namespace heddle::cli
