// The device's description of itself.
#pragma once
#include <driver_types.h>

namespace heddle_host::api {

cudaDeviceProp describe_device();
// Returns false if CUDA has no such attribute.
bool read_attribute(int& value, cudaDeviceAttr attribute);

}  // namespace heddle_host::api
