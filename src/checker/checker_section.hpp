// Marks code that the checker, not the lane, runs.
#pragma once
#include <heddle_host/lane.hpp>

namespace heddle_checker {

// While the checker works on behalf of a lane, its accesses do not count as the lane's.
class checker_section {
 public:
  checker_section() : was_lane_code_(heddle_host::lane_now.may_be_preempted) {
    heddle_host::leave_lane_code();
  }
  ~checker_section() {
    if (was_lane_code_) heddle_host::enter_lane_code();
  }
  checker_section(const checker_section&) = delete;
  checker_section& operator=(const checker_section&) = delete;

 private:
  bool was_lane_code_;
};

}  // namespace heddle_checker
