// Reports failed CUDA calls, of the host and of lanes.
#pragma once
#include <cuda_runtime_api.h>

#include <utility>

#include <heddle_host/fault.hpp>
#include <heddle_host/observer.hpp>

#include "checker/places.hpp"
#include "checker/run_state.hpp"

namespace heddle_checker {

class api_check final : public heddle_host::observer {
 public:
  explicit api_check(run_state& run) : run_(run) {}

  void call_fails(const heddle_host::failed_call& what) override {
    using heddle_host::finding_cause;
    using heddle_host::finding_kind;
    const std::uintptr_t subject = number(what.subject);
    const bool is_memory = run_.memory.arena.contains(subject);
    const allocation* const memory = is_memory ? run_.memory.allocated.find(subject) : nullptr;
    heddle_host::finding wrong{
        what.is_wrong_space ? finding_kind::wrong_space : finding_kind::api_error, what.error,
        what.kernel != nullptr ? what.kernel : "",
        what.is_wrong_space ? finding_cause::copy_direction : finding_cause::failed_call};
    wrong.fact = heddle_host::cuda_error{cudaGetErrorName(what.error),
                                         cudaGetErrorString(what.error), what.limit};
    if (what.lane_code != nullptr) {
      wrong.places.push_back(heddle_host::place_of_running_lane(what.lane_code, true));
    } else {
      const auto calls = what.launched_by != nullptr ? *what.launched_by : calls_of_host();
      for (const void* call : calls) {
        wrong.places.push_back(host_place(call, heddle_host::activity::running));
      }
    }
    if (memory != nullptr) {
      // Freeing memory twice is an error of the call; copying from freed memory is a use of it.
      if (memory->is_freed && subject != memory->begin) {
        wrong.kind = finding_kind::use_after_free;
        wrong.cause = finding_cause::failed_call;
      }
      run_.describe(spot_at(subject), wrong);
    } else if (const handle_record* const handle = run_.handles.find(what.subject)) {
      heddle_host::memory_spot spot;
      spot.allocated_at = handle->made;
      spot.freed_at = handle->ended;
      wrong.memory = std::move(spot);
    }
    run_.collect(std::move(wrong));
  }

 private:
  run_state& run_;
};

}  // namespace heddle_checker
