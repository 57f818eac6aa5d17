// The device's sticky error.
#include "stream/fault.hpp"

#include <atomic>

namespace heddle_host::stream {
namespace {
std::atomic<cudaError_t> first_fault{cudaSuccess};
}  // namespace

cudaError_t fault() noexcept { return first_fault.load(std::memory_order_acquire); }

void raise_fault(cudaError_t code) noexcept {
  cudaError_t none = cudaSuccess;
  first_fault.compare_exchange_strong(none, code, std::memory_order_acq_rel);
}

void clear_fault() noexcept { first_fault.store(cudaSuccess, std::memory_order_release); }

}  // namespace heddle_host::stream
