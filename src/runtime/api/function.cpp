// The host API that queries and sets the attributes of kernels.
#include "api/function.hpp"

#include <algorithm>
#include <map>
#include <mutex>

#include <heddle_host/function.hpp>

#include "api/call.hpp"
#include "api/device_facts.hpp"

namespace heddle_host::api {
namespace {

struct settings_table {
  std::mutex mutex;
  std::map<const kernel_image*, function_settings> by_kernel;
};

settings_table& all() {
  static settings_table& only = *new settings_table;
  return only;
}

constexpr function_settings fresh_settings{};
// Plausible for a medium-sized kernel; lanes on a CPU do not share a register file.
constexpr int registers_per_thread = 32;

cudaError_t set(function_settings& of, cudaFuncAttribute attribute, int value) {
  switch (attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
      if (value < 0 || static_cast<std::size_t>(value) > shared_per_block_optin) {
        return cudaErrorInvalidValue;
      }
      of.max_dynamic_shared_bytes = static_cast<std::size_t>(value);
      return cudaSuccess;
    case cudaFuncAttributePreferredSharedMemoryCarveout:
      if (value < cudaSharedmemCarveoutDefault || value > cudaSharedmemCarveoutMaxShared) {
        return cudaErrorInvalidValue;
      }
      of.shared_carveout = value;
      return cudaSuccess;
    case cudaFuncAttributeNonPortableClusterSizeAllowed:
      of.allows_large_clusters = value != 0;
      return cudaSuccess;
    case cudaFuncAttributeClusterSchedulingPolicyPreference:
      return cudaSuccess;
    default:
      return cudaErrorInvalidValue;
  }
}

}  // namespace

function_settings settings_of(const kernel_image& kernel) {
  const std::lock_guard lock(all().mutex);
  const auto found = all().by_kernel.find(&kernel);
  return found == all().by_kernel.end() ? fresh_settings : found->second;
}

std::size_t most_dynamic_shared_bytes(const kernel_image& kernel) {
  const std::size_t own = static_shared_bytes_of(kernel);
  const auto chosen = settings_of(kernel).max_dynamic_shared_bytes;
  if (chosen)
    return std::min(*chosen, shared_per_block_optin - std::min(own, shared_per_block_optin));
  return shared_per_block - std::min<std::size_t>(own, shared_per_block);
}

int block_limit(const kernel_image& kernel) {
  const auto bound = static_cast<int>(kernel.max_threads_per_block);
  return bound == 0 ? max_threads_per_block : std::min(bound, max_threads_per_block);
}

int occupancy(const kernel_image& kernel, std::size_t threads, std::size_t dynamic_shared_bytes) {
  if (threads > static_cast<std::size_t>(block_limit(kernel))) return 0;
  if (dynamic_shared_bytes > most_dynamic_shared_bytes(kernel)) return 0;
  const std::size_t whole_warps = (threads + warp_size - 1) / warp_size * warp_size;
  const std::size_t by_threads = max_threads_per_multiprocessor / whole_warps;
  const std::size_t by_shared =
      shared_per_multiprocessor /
      (static_shared_bytes_of(kernel) + dynamic_shared_bytes + shared_reserved_per_block);
  const std::size_t by_count = max_blocks_per_multiprocessor;
  return static_cast<int>(std::min({by_threads, by_shared, by_count}));
}

}  // namespace heddle_host::api

namespace heddle_host {

using api::call_from_anywhere;
using api::device_call;

cudaError_t set_attribute(const kernel_image* kernel, cudaFuncAttribute attribute, int value) {
  return device_call([&] {
    if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
    const std::lock_guard lock(api::all().mutex);
    const auto [entry, is_new] = api::all().by_kernel.emplace(kernel, api::fresh_settings);
    return api::set(entry->second, attribute, value);
  });
}

cudaError_t get_attributes(cudaFuncAttributes* attributes, const kernel_image* kernel) {
  return call_from_anywhere([&] {
    if (attributes == nullptr) return cudaErrorInvalidValue;
    if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
    const api::function_settings settings = api::settings_of(*kernel);
    *attributes = {};
    attributes->maxThreadsPerBlock = api::block_limit(*kernel);
    attributes->sharedSizeBytes = static_shared_bytes_of(*kernel);
    attributes->numRegs = api::registers_per_thread;
    attributes->ptxVersion = 10 * api::compute_major + api::compute_minor;
    attributes->binaryVersion = attributes->ptxVersion;
    attributes->maxDynamicSharedSizeBytes =
        static_cast<int>(api::most_dynamic_shared_bytes(*kernel));
    attributes->preferredShmemCarveout = settings.shared_carveout;
    attributes->requiredClusterWidth = static_cast<int>(kernel->cluster.x);
    attributes->requiredClusterHeight = static_cast<int>(kernel->cluster.y);
    attributes->requiredClusterDepth = static_cast<int>(kernel->cluster.z);
    attributes->clusterDimMustBeSet = kernel->cluster.x != 0;
    attributes->nonPortableClusterSizeAllowed = settings.allows_large_clusters;
    return cudaSuccess;
  });
}

cudaError_t max_active_blocks(int* blocks, const kernel_image* kernel, int threads,
                              std::size_t dynamic_shared_bytes) {
  return call_from_anywhere([&] {
    if (blocks == nullptr || threads <= 0) return cudaErrorInvalidValue;
    if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
    *blocks = api::occupancy(*kernel, static_cast<std::size_t>(threads), dynamic_shared_bytes);
    return cudaSuccess;
  });
}

cudaError_t available_dynamic_shared(std::size_t* bytes, const kernel_image* kernel, int blocks,
                                     int threads) {
  return device_call([&] {
    if (bytes == nullptr || blocks <= 0 || threads <= 0) return cudaErrorInvalidValue;
    if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
    const std::size_t most = api::most_dynamic_shared_bytes(*kernel);
    const std::size_t share = api::shared_per_multiprocessor / static_cast<std::size_t>(blocks);
    const std::size_t reserved = std::min(share, api::shared_reserved_per_block);
    const bool fits = api::occupancy(*kernel, static_cast<std::size_t>(threads), 0) >= blocks;
    *bytes = fits ? std::min(most, share - reserved) : 0;
    return cudaSuccess;
  });
}

cudaError_t max_cluster_size(int* blocks, const kernel_image* kernel) {
  return device_call([&] {
    if (blocks == nullptr) return cudaErrorInvalidValue;
    if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
    *blocks = api::settings_of(*kernel).allows_large_clusters ? api::largest_cluster_blocks
                                                              : api::portable_cluster_blocks;
    return cudaSuccess;
  });
}

cudaError_t max_active_clusters(int* clusters, const kernel_image* kernel,
                                const cudaLaunchConfig_t* config) {
  return device_call([&] {
    if (clusters == nullptr) return cudaErrorInvalidValue;
    if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
    launch_shape shape;
    const cudaError_t error = read_configuration(shape, config);
    if (error != cudaSuccess) return error;
    const dim3 cluster = shape.cluster.x != 0 ? shape.cluster : kernel->cluster;
    const unsigned blocks_in_one = std::max(1u, cluster.x * cluster.y * cluster.z);
    const std::size_t threads = std::size_t{shape.block.x} * shape.block.y * shape.block.z;
    if (threads == 0) return cudaErrorInvalidConfiguration;
    const int resident =
        api::occupancy(*kernel, threads, shape.dynamic_shared_bytes) * multiprocessors();
    // A cluster is always resident as a whole, so at least one fits whenever a block does.
    *clusters = resident == 0 ? 0 : std::max(1, resident / static_cast<int>(blocks_in_one));
    return cudaSuccess;
  });
}

}  // namespace heddle_host
