// Decides whether what only may be a defect is one: by running the program again, a little
// different.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "report/found.hpp"

namespace heddle_report {

// How a run differs from the usual one of its schedule.
struct run_variation {
  bool parts_active_lanes = true;  // false: lanes that ask together who is active are told so
  bool slows_clocks = false;       // what the program reads of the time is not the time
  bool threads_by_number = false;  // threads of the host take turns so, whatever the schedule
};

// What can be compared of a run.
struct judged_run {
  int status = 0;
  std::string output;
  bool is_complete = true;
};

class candidate_judge {
 public:
  // Runs the program under a schedule such as `random:3`. Nothing: there is no time for it any
  // more, and nobody is convicted.
  using runner =
      std::function<std::optional<judged_run>(const std::string& schedule, const run_variation&)>;
  explicit candidate_judge(runner run) : run_(std::move(run)) {}

  // Whether there are candidates that are not yet convicted.
  [[nodiscard]] bool has_work(const std::vector<found>& findings) const;
  // Judges these; `usual` is the run that showed them, or one like it.
  void judge(const std::string& schedule, const std::vector<found>& findings,
             const judged_run& usual);
  // Another run leaves no doubt about a finding.
  void convict(const found& what);
  // False for a candidate that is not convicted.
  [[nodiscard]] bool is_defect(const found& what) const;

 private:
  [[nodiscard]] bool depends_on_parting(const std::string& schedule, const judged_run& usual) const;

  runner run_;
  std::vector<std::string> convicted_;  // fingerprints
};

}  // namespace heddle_report
