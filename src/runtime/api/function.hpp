// What has been set for a kernel, and how many blocks of it fit.
#pragma once
#include <cstddef>
#include <optional>

#include <heddle_host/launch.hpp>

namespace heddle_host::api {

struct function_settings {
  std::optional<std::size_t> max_dynamic_shared_bytes;  // none: what 48 KiB leave
  int shared_carveout = cudaSharedmemCarveoutDefault;
  bool allows_large_clusters = false;
};
function_settings settings_of(const kernel_image& kernel);

// Dynamic shared memory that a launch of the kernel may ask for.
std::size_t most_dynamic_shared_bytes(const kernel_image& kernel);

// Threads that a block of the kernel may have.
int block_limit(const kernel_image& kernel);

// Blocks of the kernel that one multiprocessor holds at once; 0 if not even one fits.
int occupancy(const kernel_image& kernel, std::size_t threads, std::size_t dynamic_shared_bytes);

}  // namespace heddle_host::api
