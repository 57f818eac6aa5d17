// What every call of the host API does around its own work: permission, faults, the last error.
#pragma once
#include <utility>

#include <driver_types.h>

namespace heddle_host::api {

// Makes a failure the calling thread's last error; returns its argument.
cudaError_t note(cudaError_t error) noexcept;

// The error that a call which touches the device returns before it does anything: not permitted in
// a stream's host function, or a kernel's fault.
cudaError_t obstacle() noexcept;

// The body of a call that touches the device.
template <typename Body>
cudaError_t device_call(Body&& body) {
  const cudaError_t before = obstacle();
  return note(before != cudaSuccess ? before : std::forward<Body>(body)());
}

// The body of a call that only asks.
template <typename Body>
cudaError_t query(Body&& body) {
  return note(std::forward<Body>(body)());
}

// The result of work that has been waited for: a fault shows here first.
cudaError_t outcome() noexcept;

}  // namespace heddle_host::api
