// The error that a failed kernel leaves: every later call returns it until the device is reset.
#pragma once
#include <driver_types.h>

namespace heddle_host::stream {

// cudaSuccess if no kernel has failed.
cudaError_t fault() noexcept;
// Keeps the first fault.
void raise_fault(cudaError_t code) noexcept;
void clear_fault() noexcept;

}  // namespace heddle_host::stream
