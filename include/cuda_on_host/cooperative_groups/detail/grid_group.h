// grid_group: all threads of the running grid; they can wait for each other in a cooperative
// launch.
#pragma once
#include <cooperative_groups/detail/cluster_group.h>

namespace cooperative_groups {

class grid_group : public thread_group {
 public:
  struct arrival_token {};

  bool is_valid() const { return ::heddle_host::grid_is_cooperative(); }
  void sync() const { ::heddle_host::grid_barrier(); }
  // Only the second step waits: a thread passes it when all threads have reached it.
  arrival_token barrier_arrive() const { return {}; }
  void barrier_wait(arrival_token&&) const { ::heddle_host::grid_barrier(); }

  static unsigned long long size() { return num_threads(); }
  static unsigned long long num_threads() { return num_blocks() * thread_block::size(); }
  static unsigned long long thread_rank() {
    return block_rank() * thread_block::size() + thread_block::thread_rank();
  }
  static dim3 group_dim() { return dim_blocks(); }
  static dim3 dim_threads() {
    return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z);
  }
  static dim3 thread_index() {
    return dim3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
                blockIdx.z * blockDim.z + threadIdx.z);
  }

  static dim3 dim_blocks() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  static unsigned long long num_blocks() { return count(dim_blocks()); }
  static dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static unsigned long long block_rank() { return linear(block_index(), dim_blocks()); }

  static dim3 dim_clusters() {
    const dim3 cluster = cluster_group::dim_blocks();
    return dim3(gridDim.x / cluster.x, gridDim.y / cluster.y, gridDim.z / cluster.z);
  }
  static unsigned long long num_clusters() { return count(dim_clusters()); }
  static dim3 cluster_index() {
    const dim3 cluster = cluster_group::dim_blocks();
    return dim3(blockIdx.x / cluster.x, blockIdx.y / cluster.y, blockIdx.z / cluster.z);
  }
  static unsigned long long cluster_rank() { return linear(cluster_index(), dim_clusters()); }

 private:
  friend struct detail::group_access;
  grid_group() : thread_group(detail::group_kind::grid) {}

  static unsigned long long count(dim3 extent) {
    return static_cast<unsigned long long>(extent.x) * extent.y * extent.z;
  }
  static unsigned long long linear(dim3 index, dim3 extent) {
    return (static_cast<unsigned long long>(index.z) * extent.y + index.y) * extent.x + index.x;
  }
};

inline grid_group this_grid() { return detail::group_access::make<grid_group>(); }

}  // namespace cooperative_groups
