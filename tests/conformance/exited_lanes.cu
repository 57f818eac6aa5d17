// Operations do not wait for lanes that have exited: early returns and partial last warps.
#include "conformance.hpp"
#include "values.cuh"

using namespace conformance;

__global__ void upper_lanes_leave(unsigned* results) {
  const unsigned staying = 5 + 3 * warp_id() + blockIdx.x;
  if (lane_id() >= staying) return;
  unsigned sum = mix(rank_in_grid()) % 100;
  for (int distance = 1; distance < 32; distance *= 2) {
    const unsigned before = __shfl_up_sync(full_mask, sum, distance);
    if (lane_id() >= static_cast<unsigned>(distance)) sum += before;
  }
  results[rank_in_grid()] = sum;
}

CASE(shuffle_after_upper_lanes_left) {
  const buffer<unsigned> results(2 * 128);
  upper_lanes_leave<<<2, 128>>>(results);
  show("sums", results);
}

__global__ void odd_lanes_leave(unsigned* results) {
  if ((lane_id() + warp_id() + blockIdx.x) % 2) return;
  const unsigned mine = mix(rank_in_grid());
  unsigned got = __shfl_xor_sync(full_mask, mine, 2);
  got = got * 3 + __shfl_sync(full_mask, mine, lane_id() ^ 16);
  results[rank_in_grid() * 2] = got;
  results[rank_in_grid() * 2 + 1] = __ballot_sync(full_mask, mine % 2);
}

CASE(full_mask_after_odd_lanes_left) {
  const buffer<unsigned> results(2 * 2 * 64);
  odd_lanes_leave<<<2, 64>>>(results);
  show("results", results);
}

__global__ void leave_one_by_one(unsigned* results) {
  // one lane exits in each round; the others vote with the full mask
  for (unsigned round = 0; round < 32; ++round) {
    if (lane_id() == (round + blockIdx.x) % 32) return;
    const unsigned staying = __ballot_sync(full_mask, 1);
    results[(blockIdx.x * 32 + round) * 32 + lane_id()] = staying;
  }
}

CASE(lanes_leave_one_after_another) {
  const buffer<unsigned> results(2 * 32 * 32);
  leave_one_by_one<<<2, 32>>>(results);
  show("ballots", results);
}

__global__ void partial_last_warp(unsigned* results) {
  const unsigned mine = mix(rank_in_grid()) % 1000;
  unsigned* const row = results + rank_in_grid() * 5;
  row[0] = __ballot_sync(full_mask, mine % 2);
  row[1] = __reduce_add_sync(full_mask, mine);
  row[2] = __reduce_max_sync(full_mask, mine);
  row[3] = __shfl_sync(full_mask, mine, lane_id() / 2);
  row[4] = __any_sync(full_mask, mine > 990) != 0;
  row[4] += __all_sync(full_mask, mine > 10) ? 2 : 0;
}

CASE(block_of_fifty_threads) {
  const buffer<unsigned> results(3 * 50 * 5);
  partial_last_warp<<<3, 50>>>(results);
  show("results", results);
}

CASE(block_of_one_thread) {
  const buffer<unsigned> results(4 * 5);
  partial_last_warp<<<4, 1>>>(results);
  show("results", results);
}

CASE(blocks_of_every_size_to_33) {
  for (unsigned threads = 2; threads <= 33; ++threads) {
    const buffer<unsigned> results(2 * threads * 5);
    partial_last_warp<<<2, threads>>>(results);
    show(std::to_string(threads).c_str(), results);
  }
}

__global__ void barrier_without_the_gone(unsigned* results) {
  __shared__ unsigned values[128];
  values[threadIdx.x] = mix(rank_in_grid());
  __syncthreads();
  if (threadIdx.x % 4 == blockIdx.x) return;  // a quarter of every warp
  for (int round = 0; round < 10; ++round) {
    const unsigned got = values[(threadIdx.x + 8 * round + 4) % 128];
    __syncthreads();
    values[threadIdx.x] = values[threadIdx.x] * 5 + got;
    __syncthreads();
  }
  results[rank_in_grid()] = values[threadIdx.x];
}

CASE(block_barrier_after_a_quarter_left) {
  const buffer<unsigned> results(3 * 128);
  barrier_without_the_gone<<<3, 128>>>(results);
  show("results", results);
}

__global__ void count_without_the_gone(int* results) {
  if (warp_id() == 2 || lane_id() > 20 + blockIdx.x) return;
  int* const row = results + rank_in_grid() * 3;
  row[0] = __syncthreads_count(1);
  row[1] = __syncthreads_and(lane_id() <= 20 + blockIdx.x) != 0;
  row[2] = __syncthreads_or(warp_id() == 2) != 0;
}

CASE(barrier_counts_only_those_who_stay) {
  const buffer<int> results(2 * 128 * 3);
  count_without_the_gone<<<2, 128>>>(results);
  show("results", results);
}

__global__ void whole_warps_leave(unsigned* results) {
  __shared__ unsigned sums[8];
  if (warp_id() % 2 == blockIdx.x % 2) return;
  sums[warp_id()] = 0;
  __syncthreads();
  atomicAdd(&sums[(warp_id() + 2) % 8], mix(rank_in_grid()) % 100);
  __syncthreads();
  if (lane_id() == 0) results[blockIdx.x * 8 + warp_id()] = sums[warp_id()];
}

CASE(block_barrier_after_whole_warps_left) {
  const buffer<unsigned> results(3 * 8);
  whole_warps_leave<<<3, 256>>>(results);
  show("sums", results);
}
