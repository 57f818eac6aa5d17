// Atomics that a warp combines before they reach memory, against one atomic per lane.
#pragma once
#include <heddle/warp/aggregate.cuh>
#include <heddle/warp/histogram.cuh>

#include <string>

#include "support/contest.cuh"

namespace heddle_bench {

// ---- the bins of a block, in shared or in global memory

// Counters of one of these types. Adds 1, or a weight that differs from lane to lane.
struct heddle_count {
  template <typename T>
  __device__ void operator()(T* bins, int bin, T) const {
    heddle::warp::count_in_bins(bins, bin);
  }
};
// As in ours, a lane without a bin counts nothing.
struct lone_count {
  template <typename T>
  __device__ void operator()(T* bins, int bin, T) const {
    if (bin >= 0) atomicAdd(bins + bin, T{1});
  }
};
// One addition for each distinct bin in a warp, wherever the bins are.
struct joined_count {
  template <typename T>
  __device__ void operator()(T* bins, int bin, T) const {
    const unsigned peers = __match_any_sync(~0u, bin);
    if (heddle::rank(peers) == 0) atomicAdd(bins + bin, static_cast<T>(__popc(peers)));
  }
};
struct heddle_weights {
  template <typename T>
  __device__ void operator()(T* bins, int bin, T weight) const {
    heddle::warp::add_to_bins(bins, bin, weight);
  }
};
struct heddle_aggregated_add {
  template <typename T>
  __device__ void operator()(T* bins, int bin, T weight) const {
    heddle::warp::aggregated_add_without_result(bins + bin, weight);
  }
};
struct lone_weights {
  template <typename T>
  __device__ void operator()(T* bins, int bin, T weight) const {
    atomicAdd(bins + bin, weight);
  }
};

// A block's counters must agree exactly.
template <typename T>
struct counter_feed {
  using value_type = T;
  static bool agree(T a, T b) { return a == b; }
};

// Every thread picks one of `spread` bins in each round. blockIdx.y is 0, but the compiler does not
// know that: with a known single bin it would combine the additions of a plain loop too.
template <int spread, bool in_shared, typename T, typename Counter>
__global__ __launch_bounds__(warp_bench_threads) void count_often(heddle::lane_mask, int rounds,
                                                                  T* results, long long* cycles) {
  static_assert(spread <= heddle::warp_size, "the bins of one warp that runs alone");
  __shared__ T shared_bins[warp_bench_threads];
  T* const own_results = results + blockIdx.x * blockDim.x;
  T* const bins = in_shared ? shared_bins : own_results;
  bins[threadIdx.x] = 0;
  __syncthreads();
  unsigned state = thread_bits(static_cast<int>(threadIdx.x));
  const unsigned bin_count = spread + blockIdx.y;
  const long long begin = clock64();
#pragma unroll 4
  for (int round = 0; round < rounds; ++round) {
    state = state * 1664525u + 1013904223u;
    // Weights are 0 or 1, so sums are exact in float too.
    Counter{}(bins, static_cast<int>(__umulhi(state, bin_count)),
              static_cast<T>(static_cast<int>(state >> 8 & 1)));
  }
  const long long end = clock64();
  __syncthreads();
  if (in_shared) own_results[threadIdx.x] = shared_bins[threadIdx.x];
  if (threadIdx.x + blockIdx.x == 0) *cycles = end - begin;
}

template <int spread, bool in_shared, typename T>
void count_in(contest& contest, const std::string& type, double goal) {
  const std::string of =
      "(" + std::to_string(spread) + " bins, " + (in_shared ? "shared " : "global ") + type + ")";
  contest.run<counter_feed<T>>(
      {{"warp::count_in_bins" + of, &count_often<spread, in_shared, T, heddle_count>},
       {"atomicAdd of every lane", &count_often<spread, in_shared, T, lone_count>, goal},
       {"match, one atomicAdd a bin", &count_often<spread, in_shared, T, joined_count>, 0}});
}

template <int spread, bool in_shared, typename T>
void add_in(contest& contest, const std::string& type, double goal) {
  const std::string of =
      "(" + std::to_string(spread) + " bins, " + (in_shared ? "shared " : "global ") + type + ")";
  contest.run<counter_feed<T>>(
      {{"warp::add_to_bins" + of, &count_often<spread, in_shared, T, heddle_weights>},
       {"atomicAdd of every lane", &count_often<spread, in_shared, T, lone_weights>, goal},
       {"warp::aggregated_add_without_result",
        &count_often<spread, in_shared, T, heddle_aggregated_add>, 0}});
}

// ---- tickets from one counter for the whole grid

static __device__ unsigned long long next_ticket;

struct heddle_ticket {
  __device__ int operator()(int) const {
    return static_cast<int>(heddle::warp::aggregated_increment(&next_ticket) >> 60);
  }
};
struct lone_ticket {
  __device__ int operator()(int) const {
    return static_cast<int>(atomicAdd(&next_ticket, 1ull) >> 60);
  }
};

inline void atomic_cases(contest& contest) {
  // 64-bit counters and counters in global memory are combined with a match, which takes longer the
  // more bins differ: no goal for 32 bins, nor for weights in that many.
  count_in<1, true, unsigned>(contest, "unsigned", 1);
  count_in<4, true, unsigned>(contest, "unsigned", 1);
  count_in<32, true, unsigned>(contest, "unsigned", 1);
  count_in<1, true, unsigned long long>(contest, "64-bit", 1);
  count_in<4, true, unsigned long long>(contest, "64-bit", 1);
  count_in<32, true, unsigned long long>(contest, "64-bit", 0);
  count_in<1, false, unsigned>(contest, "unsigned", 1);
  count_in<4, false, unsigned>(contest, "unsigned", 1);
  count_in<32, false, unsigned>(contest, "unsigned", 0);
  add_in<1, true, unsigned>(contest, "unsigned", 1);
  add_in<4, true, unsigned>(contest, "unsigned", 0);
  add_in<32, true, unsigned>(contest, "unsigned", 0);
  add_in<1, true, float>(contest, "float", 1);
  add_in<4, true, float>(contest, "float", 0);
  add_in<1, false, float>(contest, "float", 1);
  add_in<4, false, float>(contest, "float", 0);
  using feed = number_feed<int>;
  contest.run<feed>({warps<feed, heddle_ticket>("warp::aggregated_increment(one counter)"),
                     warps<feed, lone_ticket>("atomicAdd of every lane")});
}

}  // namespace heddle_bench
