// Starts the kernels of device-wide algorithms: as clusters, and while the kernel before still
// ends.
#pragma once
#include <cooperative_groups.h>

#include <heddle/core/features.cuh>
#include <heddle/core/lane.cuh>
#include <heddle/device/workspace.cuh>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace heddle::device {

// The most blocks that a cluster has on every device that has clusters.
inline constexpr int most_blocks_of_cluster = 8;

// Waits until the work before this kernel in its stream has ended.
//   called by   every thread, before it touches global memory
__device__ inline void wait_for_work_before() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}

// Lets the next kernel of the stream be brought to the multiprocessors as soon as every block of
// this one has said so, and there is room. That one waits in turn until this one has ended.
//   called by   one thread of each block or all
__device__ inline void let_next_kernel_start() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
}

// Every kernel of a device-wide algorithm begins with it: so launches cost their time once and not
// between two kernels.
//   called by   every thread, before it touches global memory
__device__ inline void start_in_stream_order() {
  wait_for_work_before();
  let_next_kernel_start();
}

// The same for kernels that leave most of the device free: the next ones are already waiting on the
// multiprocessors when this one starts to work.
__device__ inline void start_beside_others() {
  let_next_kernel_start();
  wait_for_work_before();
}

// The caller's cluster; a grid that was launched without is made of clusters of one block.
struct cluster {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  __device__ static int blocks() {
    return static_cast<int>(cooperative_groups::this_cluster().num_blocks());
  }
  __device__ static int block_rank() {
    return static_cast<int>(cooperative_groups::this_cluster().block_rank());
  }
  // Said by every thread of the cluster; memory written before is visible to those that have
  // waited.
  __device__ static void arrive() {
    static_cast<void>(cooperative_groups::this_cluster().barrier_arrive());
  }
  __device__ static void wait() { cooperative_groups::this_cluster().barrier_wait(); }
  // The same shared variable in another block, which must have arrived once and not have ended.
  template <typename T>
  __device__ static T* in_block(T* variable, int rank) {
    return cooperative_groups::this_cluster().map_shared_rank(variable, rank);
  }
#else
  __device__ static int blocks() { return 1; }
  __device__ static int block_rank() { return 0; }
  __device__ static void arrive() {}
  __device__ static void wait() {}
  template <typename T>
  __device__ static T* in_block(T* variable, int) {
    return variable;
  }
#endif
};

// How a kernel is launched; `cluster` blocks make one cluster, 1 stands for none.
struct shape {
  int blocks = 1;
  int threads = warp_size;
  int cluster = 1;
  bool starts_early = true;  // where it can
  int shared_bytes = 0;      // of each block, besides what the kernel declares
  source_location where = source_location::current();  // of the call that asks for it
};

// Whether a kernel may be launched in clusters and early: the device can, and the kernel's code is
// new enough.
//   cost        asked once for each kernel
template <typename... Parameters>
[[nodiscard]] bool can_start_early(workspace& workspace, void (*kernel)(Parameters...),
                                   source_location where = source_location::current()) {
  constexpr int first = std::max(first_architecture_with<feature::early_start>,
                                 first_architecture_with<feature::cluster>);
  return workspace.architecture() >= first && workspace.architecture_of(kernel, where) >= first;
}

// Launches a kernel that begins with start_in_stream_order() in the workspace's stream. Throws
// heddle::error where CUDA refuses it. A kernel that gets more than 48 KiB of shared memory has
// been allowed to before, by cudaFuncSetAttribute().
template <typename... Parameters, typename... Arguments>
void launch(workspace& workspace, const shape& wanted, void (*kernel)(Parameters...),
            Arguments&&... arguments) {
  cudaLaunchAttribute attributes[2]{};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(wanted.blocks));
  config.blockDim = dim3(static_cast<unsigned>(wanted.threads));
  config.dynamicSmemBytes = static_cast<std::size_t>(wanted.shared_bytes);
  config.stream = workspace.stream();
  config.attrs = attributes;
  if (wanted.starts_early && can_start_early(workspace, kernel, wanted.where)) {
    attributes[config.numAttrs].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[config.numAttrs++].val.programmaticStreamSerializationAllowed = 1;
  }
  if (wanted.cluster > 1) {
    attributes[config.numAttrs].id = cudaLaunchAttributeClusterDimension;
    attributes[config.numAttrs].val.clusterDim.x = static_cast<unsigned>(wanted.cluster);
    attributes[config.numAttrs].val.clusterDim.y = 1;
    attributes[config.numAttrs++].val.clusterDim.z = 1;
  }
  check(cudaLaunchKernelEx(&config, kernel, Parameters(std::forward<Arguments>(arguments))...),
        wanted.where);
}

}  // namespace heddle::device
