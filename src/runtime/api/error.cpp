// The last error of each thread.
#include <cuda_runtime_api.h>

#include "api/call.hpp"
#include "stream/fault.hpp"
#include "stream/queue.hpp"

namespace heddle_host::api {
namespace {
thread_local cudaError_t last_error = cudaSuccess;
}  // namespace

cudaError_t note(cudaError_t error) noexcept {
  // Work that is not done yet is an answer, not a failure: an H200 does not remember it either.
  if (error != cudaSuccess && error != cudaErrorNotReady) last_error = error;
  return error;
}

cudaError_t obstacle() noexcept {
  return stream::in_host_code() ? cudaErrorNotPermitted : stream::fault();
}

cudaError_t outcome() noexcept { return stream::fault(); }

}  // namespace heddle_host::api

cudaError_t cudaPeekAtLastError() {
  const cudaError_t fault = heddle_host::stream::fault();
  return fault != cudaSuccess ? fault : heddle_host::api::last_error;
}

cudaError_t cudaGetLastError() {
  const cudaError_t error = cudaPeekAtLastError();
  heddle_host::api::last_error = cudaSuccess;
  return error;
}
