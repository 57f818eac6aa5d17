// What every call of the host API does around its own work: permission, faults, the last error.
#pragma once
#include <utility>
#include <vector>

#include <driver_types.h>
#include <heddle_host/observer.hpp>

namespace heddle_host::api {

// From the begin of a call to its end, for the observer.
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

// Makes a failure the calling thread's last error; returns its argument.
cudaError_t note(cudaError_t error) noexcept;

// Remembers what a call that is about to fail did not like; returns `error`. For the observer.
cudaError_t refuse(cudaError_t error, const void* subject, bool is_wrong_space = false) noexcept;
void about_to_launch(const char* kernel, const std::vector<const void*>* by) noexcept;
// Tells the observer, if there is one, of a call that fails or should.
void tell_of_failure(cudaError_t error) noexcept;

// The error that a call which touches the device returns before it does anything: not permitted in
// a stream's host function, or a kernel's fault.
cudaError_t obstacle() noexcept;

// The body of a call that touches the device.
template <typename Body>
cudaError_t device_call(Body&& body) {
  const host_call call;
  const cudaError_t before = obstacle();
  return note(before != cudaSuccess ? before : std::forward<Body>(body)());
}

// The body of a call that only asks.
template <typename Body>
cudaError_t query(Body&& body) {
  const host_call call;
  return note(std::forward<Body>(body)());
}

// The result of work that has been waited for: a fault shows here first.
cudaError_t outcome() noexcept;

}  // namespace heddle_host::api
