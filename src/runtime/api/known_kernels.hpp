// Finds and launches kernels by the address of their function.
#pragma once
#include <heddle_host/known_kernel.hpp>

#include "stream/queue.hpp"

namespace heddle_host::api {

// Null: no kernel has this address.
const kernel_caller* find_caller(const void* kernel);

// Makes the work of a launch and gives it to the caller instead of a stream.
cudaError_t prepare_launch(stream::operation& work, const void* kernel, const launch_shape& shape,
                           void** arguments);

}  // namespace heddle_host::api
