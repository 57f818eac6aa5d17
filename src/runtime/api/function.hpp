// The attributes set for a kernel, and how many of its blocks fit.
#pragma once
#include <cstddef>
#include <optional>

#include <heddle_host/launch.hpp>

namespace heddle_host::api {

struct function_settings {
  std::optional<std::size_t> max_dynamic_shared_bytes;  // unset: what static memory leaves of 48
                                                        // KiB
  int shared_carveout = cudaSharedmemCarveoutDefault;
  bool allows_large_clusters = false;
};
function_settings settings_of(const kernel_image& kernel);

// The most dynamic shared memory that a launch of the kernel may request.
std::size_t most_dynamic_shared_bytes(const kernel_image& kernel);

// The most threads that a block of the kernel may have.
int block_limit(const kernel_image& kernel);

// How many blocks of the kernel fit on one multiprocessor; 0 if not even one does.
int occupancy(const kernel_image& kernel, std::size_t threads, std::size_t dynamic_shared_bytes);

}  // namespace heddle_host::api
