// Runs the program again with small variations to decide whether a candidate is a defect.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "report/check/found.hpp"

namespace heddle_report {

// How a run differs from a normal run of its schedule.
struct run_variation {
  bool parts_active_lanes = true;  // may split lanes that call __activemask() together
  bool slows_clocks = false;       // clocks that the program reads run slow
  bool threads_by_number = false;  // host threads take turns by number, whatever the schedule
};

// The comparable results of a run.
struct judged_run {
  int status = 0;
  std::string output;
  bool is_complete = true;
};

class candidate_judge {
 public:
  // Runs the program under a schedule such as `random:3`. Returns nothing if time has run out; then
  // no candidate is convicted.
  using runner =
      std::function<std::optional<judged_run>(const std::string& schedule, const run_variation&)>;
  explicit candidate_judge(runner run) : run_(std::move(run)) {}

  // Whether any candidate is not yet convicted.
  [[nodiscard]] bool has_work(const std::vector<found>& findings) const;
  // Judges these findings; `usual` is the run that showed them or a repetition of it.
  void judge(const std::string& schedule, const std::vector<found>& findings,
             const judged_run& usual);
  // For a finding that another run has proven.
  void convict(const found& what);
  // False for a candidate that has not been convicted.
  [[nodiscard]] bool is_defect(const found& what) const;

 private:
  [[nodiscard]] bool depends_on_parting(const std::string& schedule, const judged_run& usual) const;

  runner run_;
  std::vector<std::string> convicted_;  // fingerprints
};

}  // namespace heddle_report
