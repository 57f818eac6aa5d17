// Finds and launches kernels by the address of their function.
#pragma once
#include <heddle_host/known_kernel.hpp>

#include "stream/queue.hpp"

namespace heddle_host::api {

// Null if no kernel has this address.
const kernel_caller* find_caller(const void* kernel);

// Prepares a launch and returns its work to the caller instead of submitting it to a stream.
cudaError_t prepare_launch(stream::operation& work, const void* kernel, const launch_shape& shape,
                           void** arguments);

}  // namespace heddle_host::api
