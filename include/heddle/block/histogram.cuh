// A block's histogram in shared memory: how many of its items fall into each bin.
//   strategy    one counter for each bin in shared memory, updated by atomic additions
//   needs       sm_75
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/shared_layout.cuh>

#include <concepts>

namespace heddle::block {

// The counters of a block, in shared memory. A round is
//   clear_bins(scratch);                      once, by all threads
//   count_in_bins(bin, scratch);              any number of times, by any threads
//   add_bins_to(output, scratch);             once, by all threads
// and may follow another round immediately. To read `counts` directly, put a __syncthreads() before
// the reads and, if another round follows, one after them.
template <int bin_count>
struct histogram_scratch {
  static_assert(bin_count >= 1, "a histogram has at least one bin");
  static_assert(bin_count <= heddle::detail::most_static_bytes / 4,
                "a block may have 48 KiB of static shared memory, which is enough for 12288 bins: "
                "count more in global memory with warp::count_in_bins()");
  static constexpr int bins = bin_count;
  unsigned counts[bin_count];
};

// Sets every bin to 0.
//   called by   every thread of the block, which may have any shape and size
//   scratch     may be cleared immediately after add_bins_to() or store_bins_to(); ends with a
//               barrier, so that counting may begin
//   cost        bins / threads stores, one barrier
template <int bin_count>
__device__ void clear_bins(histogram_scratch<bin_count>& scratch) {
#pragma unroll 1
  for (int bin = thread_rank(); bin < bin_count; bin += block_size()) scratch.counts[bin] = 0;
  __syncthreads();
}

// Adds 1 to a bin.
//   called by   any thread, between clear_bins() and the call that reads the bins; does not wait
//   bin         less than the number of bins; a negative bin counts nothing
//   cost        one instruction; in shared memory the hardware merges additions of 1 by lanes that
//               share a bin, so no match is needed
template <int bin_count>
__device__ void count_in_bins(int bin, histogram_scratch<bin_count>& scratch) {
  HEDDLE_EXPECTS(bin < bin_count, "block::count_in_bins needs a bin of the histogram");
  if (bin >= 0) atomicAdd(&scratch.counts[bin], 1u);
}

// count_in_bins() for several items of a thread.
template <int count, int bin_count>
__device__ void count_in_bins(const int (&bins)[count], histogram_scratch<bin_count>& scratch) {
#pragma unroll
  for (int i = 0; i < count; ++i) count_in_bins(bins[i], scratch);
}

// Adds every bin to the output counter of the same number. Other blocks may do so at the same time.
//   called by   every thread of the block
//   output      one counter for each bin; int, unsigned or 64-bit, in global memory
//   scratch     begins with a barrier, so that all counting is done; keeps its counts until
//               clear_bins()
//   order       relaxed, like atomicAdd
//   cost        one barrier, and an atomic addition for each bin that is not empty
template <int bin_count, std::integral Counter>
__device__ void add_bins_to(Counter* output, const histogram_scratch<bin_count>& scratch) {
  static_assert(sizeof(Counter) >= 4, "counters are 32- or 64-bit integers");
  __syncthreads();
  // Each thread reads the bins that it will clear, so clear_bins() need not wait for other threads.
#pragma unroll 1
  for (int bin = thread_rank(); bin < bin_count; bin += block_size()) {
    const unsigned count = scratch.counts[bin];
    if (count == 0) continue;
    if constexpr (sizeof(Counter) == 8) {
      atomicAdd(reinterpret_cast<unsigned long long*>(output + bin), count);
    } else {
      atomicAdd(reinterpret_cast<unsigned*>(output + bin), count);
    }
  }
}

// Writes every bin to the output counter of the same number, for a block that does not share its
// output.
//   called by   every thread of the block
//   output      one counter for each bin; an integer, in shared or global memory
//   scratch     begins with a barrier, so that all counting is done; keeps its counts until
//               clear_bins()
//   cost        one barrier, bins / threads loads and stores
template <int bin_count, std::integral Counter>
__device__ void store_bins_to(Counter* output, const histogram_scratch<bin_count>& scratch) {
  __syncthreads();
#pragma unroll 1
  for (int bin = thread_rank(); bin < bin_count; bin += block_size()) {
    output[bin] = static_cast<Counter>(scratch.counts[bin]);
  }
}

}  // namespace heddle::block
