// The last error of each thread.
#include <utility>

#include <cuda_runtime_api.h>
#include <heddle_host/observer.hpp>
#include <heddle_host/run_policy.hpp>
#include <heddle_host/schedule.hpp>

#include "api/call.hpp"
#include "api/driver/call.hpp"
#include "api/driver/contexts.hpp"
#include "api/driver/initialization.hpp"
#include "stream/fault.hpp"
#include "stream/queue.hpp"

namespace heddle_host::api {
namespace {
thread_local cudaError_t last = cudaSuccess;
thread_local failed_call blamed{};  // by the running call
}  // namespace

cudaError_t note(cudaError_t error) noexcept {
  initialize_driver();  // as every runtime call does
  // "Not ready" is an answer, not a failure; an H200 does not record it either.
  if (error == cudaSuccess || error == cudaErrorNotReady) return error;
  last = error;
  if (policy().records_calls) report_failure(error);
  return error;
}

cudaError_t last_error() noexcept { return last; }
void set_last_error(cudaError_t error) noexcept { last = error; }

cudaError_t refuse(cudaError_t error, const void* subject, bool is_wrong_space) noexcept {
  blamed.subject = subject;
  blamed.is_wrong_space = is_wrong_space;
  return error;
}

cudaError_t refuse(cudaError_t error, const exceeded_limit& limit) noexcept {
  blamed.limit = limit;
  return error;
}

exceeded_limit take_exceeded_limit() noexcept { return std::exchange(blamed.limit, {}); }

void about_to_launch(const char* kernel, const std::vector<const void*>* by) noexcept {
  blamed.kernel = kernel;
  blamed.launched_by = by;
}

void report_failure(cudaError_t error) noexcept {
  observer* const watching = current_observer();
  failed_call what = blamed;
  what.error = error;
  blamed = {};
  // A kernel's fault has already been reported, so its later returns are not; the others are
  // answers.
  const bool is_answer = error == cudaErrorPeerAccessAlreadyEnabled ||
                         error == cudaErrorPeerAccessNotEnabled || error == cudaErrorNotSupported;
  if (watching == nullptr || is_answer) return;
  if (error != cudaSuccess && error == stream::fault()) return;
  watching->call_fails(what);
}

cudaError_t obstacle() noexcept {
  if (!in_driver_section()) use_context();
  return stream::in_host_code() ? cudaErrorNotPermitted : stream::fault();
}

cudaError_t outcome() noexcept { return stream::fault(); }

}  // namespace heddle_host::api

cudaError_t cudaPeekAtLastError() {
  if (heddle_host::in_lane()) return heddle_host::api::last_error_of_lane(false);
  const cudaError_t fault = heddle_host::stream::fault();
  return fault != cudaSuccess ? fault : heddle_host::api::last;
}

cudaError_t cudaGetLastError() {
  if (heddle_host::in_lane()) return heddle_host::api::last_error_of_lane(true);
  const cudaError_t error = cudaPeekAtLastError();
  heddle_host::api::last = cudaSuccess;
  return error;
}
