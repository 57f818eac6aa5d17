// What has been set for a kernel, and how many blocks of it fit.
#pragma once
#include <cstddef>

#include <heddle_host/launch.hpp>

namespace heddle_host::api {

struct function_settings {
  std::size_t max_dynamic_shared_bytes;
  int shared_carveout = cudaSharedmemCarveoutDefault;
  bool allows_large_clusters = false;
};
function_settings settings_of(const kernel_image& kernel);

// Threads that a block of the kernel may have.
int block_limit(const kernel_image& kernel);

// Blocks of the kernel that one multiprocessor holds at once; 0 if not even one fits.
int occupancy(const kernel_image& kernel, std::size_t threads, std::size_t dynamic_shared_bytes);

}  // namespace heddle_host::api
