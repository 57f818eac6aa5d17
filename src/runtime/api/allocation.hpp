// Device memory for the other parts of the host API.
#pragma once
#include <cstddef>

#include <driver_types.h>

namespace heddle_host::api {

// What cudaMalloc does.
cudaError_t allocate_device_memory(void** pointer, std::size_t bytes);
// What cudaFree does, including the wait for the device.
cudaError_t free_device_memory(void* pointer);

}  // namespace heddle_host::api
