// Whether the device and the kernel allow a launch. If not, the observer learns what it exceeds.
#pragma once
#include <heddle_host/kernel.hpp>
#include <heddle_host/launch.hpp>

namespace heddle_host::api {

cudaError_t check_extents(const launch_shape& shape);
// Of a request whose extents are possible.
cudaError_t check_resources(const launch_request& request);

}  // namespace heddle_host::api
