// Launches the kernels of a histogram.
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/device/kernel/gather.cuh>
#include <heddle/device/kernel/launch.cuh>
#include <heddle/device/workspace.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace heddle::device::detail {

// A grid with one row of blocks per part of the bins.
struct histogram_shape {
  int blocks = 1;
  int threads = warp_size;
  std::size_t shared_bytes = 0;
  int parts = 1;
  source_location where = source_location::current();  // of the user's call
};

template <typename... Parameters, typename... Arguments>
void launch_histogram(workspace& workspace, const histogram_shape& wanted,
                      void (*kernel)(Parameters...), Arguments&&... arguments) {
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(wanted.blocks), static_cast<unsigned>(wanted.parts));
  config.blockDim = dim3(static_cast<unsigned>(wanted.threads));
  config.dynamicSmemBytes = wanted.shared_bytes;
  config.stream = workspace.stream();
  config.attrs = &early;
  config.numAttrs = can_start_early(workspace, kernel, wanted.where) ? 1 : 0;
  check(cudaLaunchKernelEx(&config, kernel, Parameters(std::forward<Arguments>(arguments))...),
        wanted.where);
}

// How many blocks of the shape fit on the device, after requesting the shared memory.
template <typename... Parameters>
[[nodiscard]] int resident_blocks(workspace& workspace, const histogram_shape& wanted,
                                  void (*kernel)(Parameters...)) {
  constexpr std::size_t without_asking = 48 * 1024;
  if (wanted.shared_bytes > without_asking) {
    // Always the maximum: a captured graph may hold a launch that needs more than this one.
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(workspace.facts().shared_bytes_per_block)),
          wanted.where);
  }
  return workspace.resident_blocks(kernel, wanted.threads, wanted.shared_bytes, wanted.where);
}

// Enough blocks that each thread has `loads_each` loads, but at least `few`; no more than `most`,
// and no more than there are loads for all threads.
[[nodiscard]] inline int blocks_for(const division& divided, int threads, int loads_each,
                                    std::int64_t few, std::int64_t most) {
  const std::int64_t loads = std::max(divided.loads, divided.loose());
  const auto blocks_with = [&](std::int64_t each) {
    return (loads + threads * each - 1) / (threads * each);
  };
  const std::int64_t wanted = std::min(std::max(blocks_with(loads_each), few), blocks_with(1));
  return static_cast<int>(std::clamp<std::int64_t>(wanted, 1, std::max<std::int64_t>(most, 1)));
}

}  // namespace heddle::device::detail
