// Launches the kernels of device-wide algorithms: in clusters, and overlapping the end of the
// previous kernel.
#pragma once
#include <cooperative_groups.h>

#include <heddle/core/features.cuh>
#include <heddle/core/lane.cuh>
#include <heddle/device/workspace.cuh>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace heddle::device::detail {

// The largest cluster that every GPU with clusters supports.
inline constexpr int most_blocks_of_cluster = 8;

// Waits until all earlier work in the stream has finished.
//   called by   every thread, before it touches global memory
__device__ inline void wait_for_work_before() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}

// Lets the next kernel of the stream move onto the multiprocessors once every block of this kernel
// has called this and there is room. That kernel in turn waits until this one has finished.
//   called by   one or all threads of each block
__device__ inline void let_next_kernel_start() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
}

// The first call in every kernel of a device-wide algorithm. It hides the launch latency between
// two kernels.
//   called by   every thread, before it touches global memory
__device__ inline void start_in_stream_order() {
  wait_for_work_before();
  let_next_kernel_start();
}

// As start_in_stream_order(), for kernels that leave most of the device free: the next kernels are
// already resident and waiting when this one starts to work.
__device__ inline void start_beside_others() {
  let_next_kernel_start();
  wait_for_work_before();
}

// The caller's cluster; without clusters each block is a cluster of one.
struct cluster {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  __device__ static int blocks() {
    return static_cast<int>(cooperative_groups::this_cluster().num_blocks());
  }
  __device__ static int block_rank() {
    return static_cast<int>(cooperative_groups::this_cluster().block_rank());
  }
  // Called by every thread of the cluster. Memory written before arrive() is visible after wait().
  __device__ static void arrive() {
    static_cast<void>(cooperative_groups::this_cluster().barrier_arrive());
  }
  __device__ static void wait() { cooperative_groups::this_cluster().barrier_wait(); }
  // The same shared variable in another block, which must have arrived once and must not have
  // exited.
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

// The shape of a launch; `cluster` blocks form one cluster, 1: no clusters.
struct shape {
  int blocks = 1;
  int threads = warp_size;
  int cluster = 1;
  bool starts_early = true;  // where possible
  int shared_bytes = 0;      // per block, besides what the kernel declares
  source_location where = source_location::current();  // of the user's call
};

// Whether a kernel may be launched early and in clusters: the device supports it, and the kernel's
// code was compiled for a new enough architecture.
//   cost        one driver query per kernel
template <typename... Parameters>
[[nodiscard]] bool can_start_early(workspace& workspace, void (*kernel)(Parameters...),
                                   source_location where = source_location::current()) {
  constexpr int first = std::max(first_architecture_with<feature::early_start>,
                                 first_architecture_with<feature::cluster>);
  return workspace.architecture() >= first && workspace.architecture_of(kernel, where) >= first;
}

// Launches a kernel that begins with start_in_stream_order(), in the workspace's stream. Throws
// heddle::error if CUDA refuses it. For more than 48 KiB of dynamic shared memory, call
// cudaFuncSetAttribute() first.
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

}  // namespace heddle::device::detail
