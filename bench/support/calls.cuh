// Kernels that call a collective repeatedly; each call depends on the result of the last one.
#pragma once
// Preconditions are for debug builds; we time what a release build runs.
#undef HEDDLE_CHECK_PRECONDITIONS
#define HEDDLE_CHECK_PRECONDITIONS 0
#include <heddle/core/mask.cuh>

#include "support/feed.cuh"

namespace heddle_bench {

inline constexpr int warp_bench_threads = 256;

// The calls of one thread: the feed turns each result into the next call's value.
template <typename Feed, typename Collective>
__device__ void call_often(const Collective& collective, int rounds,
                           typename Feed::value_type* results, long long* cycles, bool is_timer) {
  const int thread = heddle::thread_rank();
  const Feed feed(thread);
  auto value = feed.first();
  const long long begin = clock64();
#pragma unroll 4
  for (int round = 0; round < rounds; ++round) value = feed.next(collective(value));
  const long long end = clock64();
  results[blockIdx.x * heddle::block_size() + thread] = value;
  if (is_timer) *cycles = end - begin;
}

// Called by all lanes of every warp: `Collective` is constructed without arguments.
template <int threads, typename Feed, typename Collective>
__global__ __launch_bounds__(threads) void call_in_all_threads(heddle::lane_mask, int rounds,
                                                               typename Feed::value_type* results,
                                                               long long* cycles) {
  call_often<Feed>(Collective(), rounds, results, cycles, threadIdx.x + blockIdx.x == 0);
}

// Called by some lanes of every warp, in a branch: `Collective` is constructed from their mask.
template <int threads, typename Feed, typename Collective>
__global__ __launch_bounds__(threads) void call_in_members(heddle::lane_mask members, int rounds,
                                                           typename Feed::value_type* results,
                                                           long long* cycles) {
  if (heddle::contains(members, heddle::lane_id())) {
    __syncwarp(members);  // so that a coalesced group contains all of them
    const bool is_first = heddle::lane_id() == heddle::first_lane(members);
    call_often<Feed>(Collective(members), rounds, results, cycles,
                     is_first && heddle::warp_rank() + blockIdx.x == 0);
  }
}

}  // namespace heddle_bench
