// thread_block: all threads of the running block.
#pragma once
#include <cooperative_groups/detail/thread_group.h>
#include <device_functions.h>
#include <heddle_host/lane.hpp>

namespace cooperative_groups {

class thread_block : public thread_group {
 public:
  struct arrival_token {};

  static void sync() { __syncthreads(); }
  // Only the second step waits: a thread passes it when all threads have reached it.
  arrival_token barrier_arrive() const { return {}; }
  void barrier_wait(arrival_token&&) const { __syncthreads(); }

  static unsigned size() { return ::heddle_host::lane_now.threads; }
  static unsigned num_threads() { return size(); }
  static unsigned thread_rank() { return ::heddle_host::linear_thread(); }
  static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  static dim3 group_dim() { return dim_threads(); }
  static dim3 dim_threads() { return dim3(blockDim.x, blockDim.y, blockDim.z); }

 private:
  friend struct detail::group_access;
  thread_block() : thread_group(detail::group_kind::block) {}
};

// On a GPU, the memory through which tiles of several warps communicate; the CPU runtime has its
// own.
template <unsigned max_block_size = 1024>
struct block_tile_memory {};

inline thread_block this_thread_block() { return detail::group_access::make<thread_block>(); }

template <unsigned max_block_size>
inline thread_block this_thread_block(block_tile_memory<max_block_size>&) {
  return this_thread_block();
}

}  // namespace cooperative_groups
