// The error that a kernel left behind: every later call returns it until the device is reset.
#pragma once
#include <driver_types.h>

namespace heddle_host::stream {

// cudaSuccess while no kernel has failed.
cudaError_t fault() noexcept;
// The first fault stays.
void raise_fault(cudaError_t code) noexcept;
void clear_fault() noexcept;

}  // namespace heddle_host::stream
