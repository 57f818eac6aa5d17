// Marks __activemask() and coalesced_threads() whose result depends on the schedule: a defect if
// the program's output then differs.
#pragma once
#include <utility>

#include <heddle_host/observer.hpp>

#include "checker/run_state.hpp"

namespace heddle_checker {

class convergence_check final : public heddle_host::observer {
 public:
  explicit convergence_check(run_state& run) : run_(run) {}

  void active_lanes_are_parted(const heddle_host::lane_place& asking) override {
    heddle_host::finding wrong{heddle_host::finding_kind::schedule_dependent,
                               cudaSuccess,
                               run_.kernel(),
                               heddle_host::finding_cause::none,
                               {asking}};
    wrong.is_candidate = true;
    run_.collect(std::move(wrong));
  }

 private:
  run_state& run_;
};

}  // namespace heddle_checker
