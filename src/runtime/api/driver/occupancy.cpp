// The driver API for occupancy.
#include <algorithm>

#include <cuda_runtime_api.h>
#include <heddle_host/function.hpp>

#include "api/driver/call.hpp"
#include "api/driver/launch.hpp"

using namespace heddle_host::api;

namespace {

// Finds the largest block size that keeps the most threads resident. cuda_runtime.h does the same
// for the runtime API.
cudaError_t find_block_size(int* grid_blocks, int* block_threads, const void* kernel,
                            CUoccupancyB2DSize shared_for, size_t shared_bytes, int limit) {
  if (grid_blocks == nullptr || block_threads == nullptr) return cudaErrorInvalidValue;
  cudaFuncAttributes attributes;
  if (const cudaError_t error = cudaFuncGetAttributes(&attributes, kernel); error != cudaSuccess) {
    return error;
  }
  const int most = attributes.maxThreadsPerBlock;
  const int largest = limit > 0 ? std::min(limit, most) : most;
  *grid_blocks = *block_threads = 0;
  int most_resident = 0;
  for (int rounded = (largest + 31) / 32 * 32; rounded > 0; rounded -= 32) {
    const int threads = std::min(rounded, largest);
    const size_t bytes = shared_for == nullptr ? shared_bytes : shared_for(threads);
    int blocks = 0;
    const cudaError_t error =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, bytes);
    if (error != cudaSuccess) return error;
    if (blocks * threads <= most_resident) continue;
    most_resident = blocks * threads;
    *block_threads = threads;
    *grid_blocks = blocks * heddle_host::multiprocessors();
  }
  return cudaSuccess;
}

}  // namespace

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int threads,
                                                     size_t shared_bytes) {
  return runtime_call([&] {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, shared_bytes);
  });
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUfunction function,
                                                              int threads, size_t shared_bytes,
                                                              unsigned) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, shared_bytes);
}

CUresult cuOccupancyMaxPotentialBlockSize(int* grid_blocks, int* block_threads, CUfunction function,
                                          CUoccupancyB2DSize shared_for, size_t shared_bytes,
                                          int limit) {
  return runtime_call([&] {
    return find_block_size(grid_blocks, block_threads, function, shared_for, shared_bytes, limit);
  });
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid_blocks, int* block_threads,
                                                   CUfunction function,
                                                   CUoccupancyB2DSize shared_for,
                                                   size_t shared_bytes, int limit, unsigned) {
  return cuOccupancyMaxPotentialBlockSize(grid_blocks, block_threads, function, shared_for,
                                          shared_bytes, limit);
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, CUfunction function, int blocks,
                                                 int threads) {
  return runtime_call(
      [&] { return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, function, blocks, threads); });
}

CUresult cuOccupancyMaxPotentialClusterSize(int* blocks, CUfunction function,
                                            const CUlaunchConfig* config) {
  return runtime_call([&] {
    if (config == nullptr) return cudaErrorInvalidValue;
    const cudaLaunchConfig_t same = runtime_configuration(*config);
    return cudaOccupancyMaxPotentialClusterSize(blocks, function, &same);
  });
}

CUresult cuOccupancyMaxActiveClusters(int* clusters, CUfunction function,
                                      const CUlaunchConfig* config) {
  return runtime_call([&] {
    if (config == nullptr) return cudaErrorInvalidValue;
    const cudaLaunchConfig_t same = runtime_configuration(*config);
    return cudaOccupancyMaxActiveClusters(clusters, function, &same);
  });
}
