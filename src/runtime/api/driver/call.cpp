#include "api/driver/call.hpp"

#include <atomic>
#include <utility>

#include "api/call.hpp"
#include "api/driver/initialization.hpp"

namespace heddle_host::api {
namespace {
std::atomic<bool> is_initialized{false};
thread_local bool is_in_section = false;
}  // namespace

void initialize_driver() noexcept {
  // Read first, so that concurrent calls do not contend for the cache line.
  if (!driver_is_initialized()) is_initialized.store(true, std::memory_order_relaxed);
}

bool driver_is_initialized() noexcept { return is_initialized.load(std::memory_order_relaxed); }

driver_section::driver_section() noexcept
    : error_before_(last_error()), was_in_section_(std::exchange(is_in_section, true)) {}

driver_section::~driver_section() {
  set_last_error(error_before_);
  is_in_section = was_in_section_;
}

bool in_driver_section() noexcept { return is_in_section; }

CUresult driver_result(cudaError_t error) noexcept {
  switch (error) {
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidPitchValue:
    case cudaErrorInvalidDevicePointer:
    case cudaErrorInvalidHostPointer:
    case cudaErrorInvalidChannelDescriptor:
    case cudaErrorInvalidMemcpyDirection:
      return CUDA_ERROR_INVALID_VALUE;
    case cudaErrorInvalidDeviceFunction:
      return CUDA_ERROR_INVALID_HANDLE;
    case cudaErrorInvalidSymbol:
      return CUDA_ERROR_NOT_FOUND;
    default:
      break;
  }
  // All other codes have the same numbers, if the driver has them.
  const auto same = static_cast<CUresult>(error);
  const char* name = nullptr;
  return cuGetErrorName(same, &name) == CUDA_SUCCESS ? same : CUDA_ERROR_UNKNOWN;
}

}  // namespace heddle_host::api
