// cluster_group: all threads of the blocks launched as one cluster.
#pragma once
#include <cooperative_groups/detail/thread_block.h>
#include <heddle_host/barrier.hpp>

namespace cooperative_groups {

class cluster_group : public thread_group {
 public:
  struct arrival_token {};

  static void sync() {
    ::heddle_host::cluster_arrive();
    ::heddle_host::cluster_wait();
  }
  static arrival_token barrier_arrive() {
    ::heddle_host::cluster_arrive();
    return {};
  }
  static void barrier_wait() { ::heddle_host::cluster_wait(); }
  static void barrier_wait(arrival_token&&) { ::heddle_host::cluster_wait(); }

  // The block whose shared memory contains an address; the same variable in another block.
  static unsigned query_shared_rank(const void* address) {
    return ::heddle_host::shared_rank_of(address);
  }
  template <typename T>
  static T* map_shared_rank(T* address, int rank) {
    return static_cast<T*>(::heddle_host::map_shared_rank(address, static_cast<unsigned>(rank)));
  }

  static dim3 block_index() {
    const uint3 index = ::heddle_host::block_index_in_cluster();
    return dim3(index.x, index.y, index.z);
  }
  static unsigned block_rank() { return ::heddle_host::block_rank_in_cluster(); }
  static dim3 thread_index() {
    const dim3 block = block_index();
    return dim3(block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y,
                block.z * blockDim.z + threadIdx.z);
  }
  static unsigned thread_rank() {
    return block_rank() * thread_block::size() + thread_block::thread_rank();
  }
  static dim3 dim_blocks() { return ::heddle_host::cluster_dimensions(); }
  static unsigned num_blocks() {
    const dim3 blocks = dim_blocks();
    return blocks.x * blocks.y * blocks.z;
  }
  static dim3 dim_threads() {
    const dim3 blocks = dim_blocks();
    return dim3(blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z);
  }
  static unsigned num_threads() { return num_blocks() * thread_block::size(); }
  static unsigned size() { return num_threads(); }

 private:
  friend struct detail::group_access;
  cluster_group() : thread_group(detail::group_kind::cluster) {}
};

inline cluster_group this_cluster() { return detail::group_access::make<cluster_group>(); }

}  // namespace cooperative_groups
