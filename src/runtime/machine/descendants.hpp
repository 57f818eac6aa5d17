// Runs one grid, but not what its lanes launch.
#pragma once
#include <heddle_host/launch.hpp>

namespace heddle_host {

class child_work;

// `children` gets what the lanes launch. Returns CUDA's error code.
cudaError_t run_grid(const launch_request& request, child_work& children);

}  // namespace heddle_host
