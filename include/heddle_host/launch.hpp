// A kernel launch as a value: the kernel, its bound arguments and its shape.
#pragma once
#include <cstddef>
#include <memory>
#include <vector>

#include <driver_types.h>
#include <vector_types.h>

namespace heddle_host {

// One kernel of the program, described by the code that the frontend wrote around its body. Its
// address identifies the kernel.
struct kernel_image {
  const char* signature;  // as the compiler prints it, template arguments included
  const char* body_type;  // mangled name of the closure type that holds the body
  std::size_t closure_bytes;
  std::size_t closure_alignment;
  void (*run_lanes)(const void* closure);  // the main loop of a fiber; never returns
  unsigned max_threads_per_block;          // from __launch_bounds__; 0 if not given
  dim3 cluster;                            // from __cluster_dims__; 0 0 0 if not given
};

// Size of the shared variables that the kernel's own body declares. Functions that it calls may
// declare more, but which of them it will call is unknown.
std::size_t static_shared_bytes_of(const kernel_image& kernel);

struct launch_request {
  const kernel_image* kernel = nullptr;
  std::shared_ptr<const void> closure;  // a bitwise copy of the kernel's arguments
  dim3 grid{1, 1, 1};
  dim3 block{1, 1, 1};
  dim3 cluster{1, 1, 1};
  std::size_t dynamic_shared_bytes = 0;
  bool is_cooperative = false;
  std::vector<const void*> launched_by;  // the host's call stack, innermost first, in a checked run
};

// Runs the grid to completion, on the calling thread and the worker threads. Returns CUDA's error
// code; the finding listener has already received what went wrong.
cudaError_t execute(const launch_request& request);

}  // namespace heddle_host
