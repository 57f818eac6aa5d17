// The host API for kernels that are known only by the address of their function.
#include "api/known_kernels.hpp"

#include <mutex>
#include <unordered_map>

#include <cuda_runtime_api.h>
#include <heddle_host/function.hpp>

#include "api/call.hpp"

namespace heddle_host {
namespace api {
namespace {

struct caller_table {
  std::mutex mutex;
  std::unordered_map<const void*, const kernel_caller*> by_address;
};

// Never destroyed, and created on first use, before any file registers a kernel.
caller_table& callers() {
  static caller_table& only = *new caller_table;
  return only;
}

// Returns `ask(image)`, or an error if the kernel is unknown.
template <typename Ask>
cudaError_t with_image(const void* kernel, Ask ask) {
  const kernel_caller* const caller = find_caller(kernel);
  if (kernel != nullptr && caller == nullptr) return note(cudaErrorInvalidResourceHandle);
  return ask(kernel == nullptr ? nullptr : caller->inspect(kernel));
}

}  // namespace

const kernel_caller* find_caller(const void* kernel) {
  const std::lock_guard lock(callers().mutex);
  const auto found = callers().by_address.find(kernel);
  return found == callers().by_address.end() ? nullptr : found->second;
}

}  // namespace api

void remember_kernel(const void* kernel, const kernel_caller& caller) {
  const std::lock_guard lock(api::callers().mutex);
  api::callers().by_address[kernel] = &caller;
}

}  // namespace heddle_host

using namespace heddle_host;
using api::find_caller;
using api::with_image;

cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                             size_t shared_bytes, cudaStream_t stream) {
  return launch(kernel, find_caller(kernel), {grid, block, shared_bytes, stream, false, {0, 0, 0}},
                arguments);
}

cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                        size_t shared_bytes, cudaStream_t stream) {
  return launch(kernel, find_caller(kernel), {grid, block, shared_bytes, stream, true, {0, 0, 0}},
                arguments);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel,
                                void** arguments) {
  launch_shape shape;
  const cudaError_t error = read_configuration(shape, config);
  return error != cudaSuccess ? error : launch(kernel, find_caller(kernel), shape, arguments);
}

cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value) {
  return with_image(
      kernel, [&](const kernel_image* image) { return set_attribute(image, attribute, value); });
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel) {
  return with_image(kernel,
                    [&](const kernel_image* image) { return get_attributes(attributes, image); });
}

cudaError_t cudaFuncSetCacheConfig(const void* kernel, cudaFuncCache) {
  cudaFuncAttributes ignored;
  return cudaFuncGetAttributes(&ignored, kernel);
}

cudaError_t cudaFuncSetSharedMemConfig(const void* kernel, cudaSharedMemConfig) {
  cudaFuncAttributes ignored;
  return cudaFuncGetAttributes(&ignored, kernel);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel,
                                                          int block_threads,
                                                          size_t dynamic_shared_bytes) {
  return with_image(kernel, [&](const kernel_image* image) {
    return max_active_blocks(blocks, image, block_threads, dynamic_shared_bytes);
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* kernel,
                                                                   int block_threads,
                                                                   size_t dynamic_shared_bytes,
                                                                   unsigned int) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, block_threads,
                                                       dynamic_shared_bytes);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* kernel, int blocks,
                                                      int block_threads) {
  return with_image(kernel, [&](const kernel_image* image) {
    return available_dynamic_shared(bytes, image, blocks, block_threads);
  });
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int* blocks, const void* kernel,
                                                 const cudaLaunchConfig_t*) {
  return with_image(kernel,
                    [&](const kernel_image* image) { return max_cluster_size(blocks, image); });
}

cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* kernel,
                                           const cudaLaunchConfig_t* config) {
  return with_image(kernel, [&](const kernel_image* image) {
    return max_active_clusters(clusters, image, config);
  });
}
