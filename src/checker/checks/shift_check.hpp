// Notes shifts that C++ leaves undefined: by the width of the value or more, or by a negative
// number.
#pragma once
#include <utility>

#include <heddle_host/fault.hpp>
#include <heddle_host/observer.hpp>

#include "checker/run_state.hpp"

namespace heddle_checker {

class shift_check final : public heddle_host::observer {
 public:
  explicit shift_check(run_state& run) : run_(run) {}

  void lane_shifts_all_bits(int distance, unsigned width, const void* code) override {
    heddle_host::finding wide{heddle_host::finding_kind::wide_shift,
                              cudaSuccess,
                              run_.kernel(),
                              heddle_host::finding_cause::shifted_out,
                              {heddle_host::place_of_running_lane(code, true)}};
    wide.fact = heddle_host::shift_distance{distance, width};
    run_.collect(std::move(wide));
  }

 private:
  run_state& run_;
};

}  // namespace heddle_checker
