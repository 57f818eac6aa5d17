// Warp operations and barriers in dependent chains, for latency, and in floods, for throughput.
#pragma once
#include <cooperative_groups.h>
#include <cuda/ptx>

#include <heddle/core/features.cuh>
#include <heddle/core/lane.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/warp/reduce.cuh>

namespace heddle_bench {

// ---- one step each: `members` is all lanes, but the compiler does not know that

struct no_operation {
  __device__ unsigned operator()(unsigned value, unsigned) const { return value; }
};
struct multiply_and_add {
  __device__ unsigned operator()(unsigned value, unsigned members) const {
    return value * members + 7u;
  }
};
struct shuffle_by_xor {
  __device__ unsigned operator()(unsigned value, unsigned) const {
    return __shfl_xor_sync(~0u, value, 1);
  }
};
struct shuffle_by_down {
  __device__ unsigned operator()(unsigned value, unsigned) const {
    return __shfl_down_sync(~0u, value, 1);
  }
};
// Reads from a lane that depends on the data.
struct shuffle_by_index {
  __device__ unsigned operator()(unsigned value, unsigned) const {
    return __shfl_sync(~0u, value, static_cast<int>(value & 31u));
  }
};
// The comparison depends on all bits of the value.
struct vote_ballot {
  __device__ unsigned operator()(unsigned value, unsigned) const {
    return __ballot_sync(~0u, value < 6u);
  }
};
// Adds the vote to the value: from 0 or 1 alone the compiler could derive all later results.
struct vote_any {
  __device__ unsigned operator()(unsigned value, unsigned) const {
    return value + static_cast<unsigned>(__any_sync(~0u, value < 6u));
  }
};
struct match_any {
  __device__ unsigned operator()(unsigned value, unsigned) const {
    return __match_any_sync(~0u, value);
  }
};
struct match_all {
  __device__ unsigned operator()(unsigned value, unsigned) const {
    int is_same = 0;
    return __match_all_sync(~0u, value, &is_same) + static_cast<unsigned>(is_same);
  }
};
// One instruction, if the architecture has it.
struct reduce_add {
  __device__ unsigned operator()(unsigned value, unsigned) const {
    return heddle::warp::reduce(value);
  }
};
struct synchronise_warp {
  __device__ unsigned operator()(unsigned value, unsigned) const {
    __syncwarp();
    return value;
  }
};
struct synchronise_members {
  __device__ unsigned operator()(unsigned value, unsigned members) const {
    __syncwarp(members);
    return value;
  }
};
struct synchronise_block {
  __device__ unsigned operator()(unsigned value, unsigned) const {
    __syncthreads();
    return value;
  }
};
struct synchronise_cluster {
  __device__ unsigned operator()(unsigned value, unsigned) const {
    if constexpr (heddle::has_feature<heddle::feature::cluster>) {
      cuda::ptx::barrier_cluster_arrive();
      cuda::ptx::barrier_cluster_wait();
    }
    return value;
  }
};
struct synchronise_grid {
  __device__ unsigned operator()(unsigned value, unsigned) const {
    cooperative_groups::this_grid().sync();
    return value;
  }
};

// ---- latency

inline constexpr int operations_at_once = 16;

// Between two operations there is a multiplication that depends on the first; no_operation measures
// what that costs.
template <typename Operation>
__global__ __launch_bounds__(1024) void chain_operations(unsigned members, int rounds,
                                                         unsigned* values, long long* cycles) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned value = values[thread];
  __syncthreads();
  const long long begin = clock64();
#pragma unroll operations_at_once
  for (int round = 0; round < rounds; ++round) {
    value = Operation{}(value * members + 7u, members);
  }
  const long long end = clock64();
  values[thread] = value;
  if (thread == 0) *cycles = end - begin;
}

// The same in a branch that only `members` take and the rest of the warp skips: if the compiler
// knows that the whole warp is converged, it needs no synchronisation.
template <typename Operation>
__global__ __launch_bounds__(1024) void chain_in_branch(unsigned members, int rounds,
                                                        unsigned* values, long long* cycles) {
  unsigned value = values[threadIdx.x];
  if (members >> heddle::lane_id() & 1u) {
    const long long begin = clock64();
#pragma unroll operations_at_once
    for (int round = 0; round < rounds; ++round) {
      value = Operation{}(value * members + 7u, members);
    }
    const long long end = clock64();
    if (heddle::lane_id() == heddle::first_lane(members)) *cycles = end - begin;
  }
  values[threadIdx.x] = value;
}

// ---- throughput of a multiprocessor

inline constexpr int chains_at_once = 4;

// All warps of the block, each with several independent values.
template <typename Operation>
__global__ __launch_bounds__(1024) void flood_operations(unsigned members, int rounds,
                                                         unsigned* values, long long* cycles) {
  unsigned own[chains_at_once];
  for (int i = 0; i < chains_at_once; ++i) {
    own[i] = values[threadIdx.x] + static_cast<unsigned>(i) * members;
  }
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 8
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int i = 0; i < chains_at_once; ++i) own[i] = Operation{}(own[i], members);
  }
  __syncthreads();
  const long long end = clock64();
  unsigned mixed = 0;
  for (int i = 0; i < chains_at_once; ++i) mixed ^= own[i];
  values[threadIdx.x] = mixed;
  if (threadIdx.x == 0) *cycles = end - begin;
}

}  // namespace heddle_bench
