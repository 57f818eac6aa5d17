// A kernel of the program as data: its name, its closure and the loop that runs its lanes.
#pragma once
#include <cstddef>

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

}  // namespace heddle_host
