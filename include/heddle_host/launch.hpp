// What a kernel launch is, as a value: the kernel, its bound arguments and its shape.
#pragma once
#include <cstddef>
#include <memory>
#include <vector>

#include <driver_types.h>
#include <vector_types.h>

namespace heddle_host {

// One kernel of the program, described once and for all by the code that the frontend wrote around
// its body. Its address identifies the kernel.
struct kernel_image {
  const char* signature;  // as the compiler prints it, template arguments included
  const char* body_type;  // mangled name of the closure type that holds the body
  std::size_t closure_bytes;
  std::size_t closure_alignment;
  void (*run_lanes)(const void* closure);  // what a fiber does; never returns
  unsigned max_threads_per_block;          // of __launch_bounds__; 0: none given
  dim3 cluster;                            // of __cluster_dims__; 0 0 0: none given
};

// Bytes of the shared variables that the kernel's own body declares. Those of functions that it
// calls have their places too, but nobody knows which of them it will call.
std::size_t static_shared_bytes_of(const kernel_image& kernel);

struct launch_request {
  const kernel_image* kernel = nullptr;
  std::shared_ptr<const void> closure;  // a bitwise image of the kernel's arguments
  dim3 grid{1, 1, 1};
  dim3 block{1, 1, 1};
  dim3 cluster{1, 1, 1};
  std::size_t dynamic_shared_bytes = 0;
  bool is_cooperative = false;
  std::vector<const void*> launched_by;  // the host's calls, innermost first, in a checked run
};

// Runs the grid to its end: on the calling thread, helped by the worker threads. Returns CUDA's
// code for how it ended; what went wrong, if anything, has been told to the finding listener.
cudaError_t execute(const launch_request& request);

}  // namespace heddle_host
