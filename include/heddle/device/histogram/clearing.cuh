// Zeroes the counters of a histogram, in the kernel that adds to them or in one before it.
#pragma once
#include <heddle/device/histogram/launch.cuh>
#include <heddle/device/kernel/launch.cuh>
#include <heddle/device/workspace.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace heddle::device::detail {

template <typename Counter>
__global__ void clear_counters_kernel(Counter* counts, std::int64_t bins) {
  start_in_stream_order();
  const std::int64_t threads = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < bins;
       i += threads) {
    counts[i] = 0;
  }
}

template <typename Counter>
void clear_counters(workspace& workspace, Counter* counts, std::int64_t bins,
                    source_location where) {
  constexpr int threads = 256;
  const auto kernel = &clear_counters_kernel<Counter>;
  histogram_shape shape;
  shape.where = where;
  shape.threads = threads;
  shape.blocks = static_cast<int>(std::min<std::int64_t>(
      (bins + threads - 1) / threads, workspace.resident_blocks(kernel, threads, 0, where)));
  launch_histogram(workspace, shape, kernel, counts, bins);
}

// Lets a kernel zero the counters that it adds to later: the first block does it, and the others
// wait for it. Blocks start in the order of their numbers, so by then it has long been done.
class counter_clearing {
 public:
  counter_clearing() = default;  // the counters keep what they hold
  //   memory      two words of kept() memory, zero between launches
  counter_clearing(std::byte* memory, int bins)
      : is_done_(reinterpret_cast<unsigned*>(memory)), bins_(bins) {}
  static constexpr std::size_t bytes = 2 * sizeof(unsigned);

  //   called by   every thread of a block, before the block counts
  template <typename Counter>
  __device__ void start(Counter* counts) const {
    if (is_done_ == nullptr || blockIdx.x + blockIdx.y > 0) return;
    for (int i = static_cast<int>(threadIdx.x); i < bins_; i += static_cast<int>(blockDim.x)) {
      counts[i] = 0;
    }
    __syncthreads();
    if (threadIdx.x == 0) asm volatile("st.release.gpu.u32 [%0], 1;" ::"l"(is_done_) : "memory");
  }
  // Waits for the zeroing. The last block to call this resets the memory.
  //   called by   one thread of each block; the others add after a barrier
  __device__ void wait() const {
    if (is_done_ == nullptr) return;
    unsigned is_done = 0;
    do {
      asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(is_done) : "l"(is_done_) : "memory");
    } while (is_done == 0);
    const unsigned blocks = gridDim.x * gridDim.y;
    if (atomicInc(is_done_ + 1, blocks - 1) == blocks - 1) {
      asm volatile("st.relaxed.gpu.u32 [%0], 0;" ::"l"(is_done_) : "memory");
    }
  }

 private:
  unsigned* is_done_ = nullptr;
  int bins_ = 0;
};

struct clearing_memory;  // the owner of this kept memory

}  // namespace heddle::device::detail
