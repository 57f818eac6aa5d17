// A kernel launch as a value: the kernel, its bound arguments and its shape.
#pragma once
#include <cstddef>
#include <memory>
#include <vector>

#include <driver_types.h>
#include <vector_types.h>

#include <heddle_host/kernel_image.hpp>

namespace heddle_host {

struct launch_request {
  const kernel_image* kernel = nullptr;
  std::shared_ptr<const void> closure;  // a bitwise copy of the kernel's arguments
  dim3 grid{1, 1, 1};
  dim3 block{1, 1, 1};
  dim3 cluster{1, 1, 1};
  std::size_t dynamic_shared_bytes = 0;
  bool is_cooperative = false;
  // In a checked run: the call stack of the launch, innermost call first. For a child grid it
  // starts with the line of the kernel that launched it and continues with that kernel's launch.
  std::vector<const void*> launched_by;
};

// Runs the grid, and then the grids that its lanes have launched, on the calling thread and the
// worker threads. Returns CUDA's error code; the finding listener has already received what went
// wrong.
cudaError_t execute(const launch_request& request);

}  // namespace heddle_host
