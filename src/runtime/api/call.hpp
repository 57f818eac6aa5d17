// What every host API call does besides its own work: permission, faults, the last error.
#pragma once
#include <utility>
#include <vector>

#include <driver_types.h>
#include <heddle_host/observer.hpp>

#include "api/device_runtime.hpp"

namespace heddle_host::api {

// Marks the begin and end of a call for the observer.
class host_call {
 public:
  host_call() : watching_(current_observer()) {
    if (watching_ != nullptr) watching_->host_call_begins();
  }
  ~host_call() {
    if (watching_ != nullptr) watching_->host_call_ends();
  }
  host_call(const host_call&) = delete;
  host_call& operator=(const host_call&) = delete;

 private:
  observer* const watching_;
};

// Records a failure as the calling thread's last error; returns its argument.
cudaError_t note(cudaError_t error) noexcept;

// The calling thread's last error. Driver calls do not change it.
cudaError_t last_error() noexcept;
void set_last_error(cudaError_t error) noexcept;

// For the observer: records the argument that makes the current call fail; returns `error`.
cudaError_t refuse(cudaError_t error, const void* subject, bool is_wrong_space = false) noexcept;
// The same for a launch that asks for too much.
cudaError_t refuse(cudaError_t error, const exceeded_limit& limit) noexcept;
// What the refused launch exceeds; forgets it.
exceeded_limit take_exceeded_limit() noexcept;
void about_to_launch(const char* kernel, const std::vector<const void*>* by) noexcept;
// Reports to the observer, if any, a call that fails or should fail.
void report_failure(cudaError_t error) noexcept;

// The error that a device call returns before it does anything: it was made in a stream's host
// function, or a kernel has failed.
cudaError_t obstacle() noexcept;

// The body of a call that accesses the device and is not permitted in kernels.
template <typename Body>
cudaError_t device_call(Body&& body) {
  if (in_lane()) {
    return lane_call(__builtin_return_address(0), [] { return cudaErrorNotPermitted; });
  }
  const host_call call;
  const cudaError_t before = obstacle();
  return note(before != cudaSuccess ? before : std::forward<Body>(body)());
}

// The same for a call that kernels can make too.
template <typename Body>
cudaError_t call_from_anywhere(Body&& body) {
  if (in_lane()) return lane_call(__builtin_return_address(0), std::forward<Body>(body));
  return device_call(std::forward<Body>(body));
}

// The body of a call that only queries. Kernels can make it too.
template <typename Body>
cudaError_t query(Body&& body) {
  if (in_lane()) return lane_call(__builtin_return_address(0), std::forward<Body>(body));
  const host_call call;
  return note(std::forward<Body>(body)());
}

// The result after a wait: the first call at which a fault shows.
cudaError_t outcome() noexcept;

}  // namespace heddle_host::api
