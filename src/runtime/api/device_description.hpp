// What the device says about itself.
#pragma once
#include <driver_types.h>

namespace heddle_host::api {

cudaDeviceProp describe_device();
// False: CUDA has no such attribute.
bool read_attribute(int& value, cudaDeviceAttr attribute);

}  // namespace heddle_host::api
