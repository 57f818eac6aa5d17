// Atomics of a warp joined before they reach memory, against one atomic for each lane.
#pragma once
#include <heddle/warp/aggregate.cuh>
#include <heddle/warp/histogram.cuh>

#include <string>

#include "support/contest.cuh"

namespace heddle_bench {

// ---- bins of a block, in shared or in global memory

struct heddle_count {
  __device__ void operator()(unsigned* bins, int bin) const {
    heddle::warp::count_in_bins(bins, bin);
  }
};
struct heddle_aggregated_add {
  __device__ void operator()(unsigned* bins, int bin) const {
    heddle::warp::aggregated_add_without_result(bins + bin, 1);
  }
};
struct lone_atomic {
  __device__ void operator()(unsigned* bins, int bin) const { atomicAdd(bins + bin, 1u); }
};

// What a block's counters must agree in.
struct counter_feed {
  using value_type = unsigned;
  static bool agree(unsigned a, unsigned b) { return a == b; }
};

// Every thread draws a bin of `spread` in each round.
template <int spread, bool in_shared, typename Counter>
__global__ __launch_bounds__(warp_bench_threads) void count_often(heddle::lane_mask, int rounds,
                                                                  unsigned* results,
                                                                  long long* cycles) {
  static_assert(spread <= heddle::warp_size, "the bins of one warp that runs alone");
  __shared__ unsigned shared_bins[warp_bench_threads];
  unsigned* const own_results = results + blockIdx.x * blockDim.x;
  unsigned* const bins = in_shared ? shared_bins : own_results;
  bins[threadIdx.x] = 0;
  __syncthreads();
  unsigned state = thread_bits(threadIdx.x);
  const long long begin = clock64();
#pragma unroll 4
  for (int round = 0; round < rounds; ++round) {
    state = state * 1664525u + 1013904223u;
    Counter{}(bins, static_cast<int>((state >> 16) % spread));
  }
  const long long end = clock64();
  __syncthreads();
  if (in_shared) own_results[threadIdx.x] = shared_bins[threadIdx.x];
  if (threadIdx.x + blockIdx.x == 0) *cycles = end - begin;
}

template <int spread, bool in_shared>
void count_in(contest& contest, const std::string& where, double goal) {
  const std::string of = "(" + std::to_string(spread) + " bins, " + where + ")";
  contest.run<counter_feed>(
      {{"warp::count_in_bins" + of, &count_often<spread, in_shared, heddle_count>},
       {"atomicAdd of every lane", &count_often<spread, in_shared, lone_atomic>, goal},
       {"warp::aggregated_add_without_result",
        &count_often<spread, in_shared, heddle_aggregated_add>, 0}});
}

// ---- tickets of one counter for the whole grid

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
  // Where all bins differ there is nothing to join; no goal then.
  count_in<1, true>(contest, "shared", 1);
  count_in<4, true>(contest, "shared", 1);
  count_in<32, true>(contest, "shared", 0);
  count_in<1, false>(contest, "global", 1);
  count_in<4, false>(contest, "global", 1);
  count_in<32, false>(contest, "global", 0);
  using feed = number_feed<int>;
  contest.run<feed>({warps<feed, heddle_ticket>("warp::aggregated_increment(one counter)"),
                     warps<feed, lone_ticket>("atomicAdd of every lane")});
}

}  // namespace heddle_bench
