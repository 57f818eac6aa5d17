// __barrier_sync and __barrier_sync_count: numbered barriers with a count of threads.
#include "conformance.hpp"
#include "values.cuh"

using namespace conformance;

__global__ void producer_and_consumer(unsigned* results) {
  // warps 0-1 produce, warps 2-3 consume; barrier 1 means full, barrier 2 means empty
  __shared__ unsigned values[64];
  unsigned sum = 0;
  for (unsigned round = 0; round < 12; ++round) {
    if (warp_id() < 2) {
      values[threadIdx.x] = mix(rank_in_grid() * 16 + round);
      __barrier_sync_count(1, 128);
      __barrier_sync_count(2, 128);
    } else {
      __barrier_sync_count(1, 128);
      sum = sum * 3 + values[(threadIdx.x * 5 + 1) % 64];
      __barrier_sync_count(2, 128);
    }
  }
  results[rank_in_grid()] = sum;
}

CASE(named_barriers_between_producers_and_consumers) {
  const buffer<unsigned> results(2 * 128);
  producer_and_consumer<<<2, 128>>>(results);
  show("sums", results);
}

__global__ void pairs_of_warps(unsigned* results) {
  // each pair of warps has its own barrier and its own number of rounds
  __shared__ unsigned values[256];
  const unsigned pair = threadIdx.x / 64;
  unsigned value = mix(rank_in_grid());
  for (unsigned round = 0; round < 3 + pair * 4; ++round) {
    values[threadIdx.x] = value;
    __barrier_sync_count(pair + 1, 64);
    value += values[pair * 64 + (threadIdx.x + 33) % 64] * 3;
    __barrier_sync_count(pair + 1, 64);
  }
  results[rank_in_grid()] = value;
}

CASE(named_barriers_of_independent_pairs) {
  const buffer<unsigned> results(2 * 256);
  pairs_of_warps<<<2, 256>>>(results);
  show("results", results);
}

__global__ void whole_block(unsigned* results) {
  __shared__ unsigned values[128];
  for (unsigned id = 1; id < 16; ++id) {
    values[threadIdx.x] = mix(rank_in_grid() + id);
    __barrier_sync(id);
    results[(id - 1) * gridDim.x * 128 + rank_in_grid()] = values[127 - threadIdx.x];
    __barrier_sync(id);
  }
}

CASE(named_barrier_of_the_whole_block) {
  const buffer<unsigned> results(15 * 2 * 128);
  whole_block<<<2, 128>>>(results);
  show("results", results);
}

__global__ void one_warp(unsigned* results) {
  __shared__ unsigned values[96];
  values[threadIdx.x] = mix(rank_in_grid());
  __barrier_sync_count(3 + warp_id(), 32);
  results[rank_in_grid()] = values[warp_id() * 32 + 31 - lane_id()];
}

CASE(named_barrier_of_one_warp) {
  const buffer<unsigned> results(2 * 96);
  one_warp<<<2, 96>>>(results);
  show("results", results);
}

__global__ void mixed_with_syncthreads(unsigned* results) {
  __shared__ unsigned values[96];
  values[threadIdx.x] = mix(rank_in_grid());
  __syncthreads();
  unsigned got = values[95 - threadIdx.x];
  __syncthreads();
  if (warp_id() < 2) {
    __barrier_sync_count(7, 64);
    values[threadIdx.x] = got + 1;
    __barrier_sync_count(7, 64);
    got ^= values[63 - threadIdx.x];
  }
  __syncthreads();
  results[rank_in_grid()] = got + values[(threadIdx.x + 50) % 96];
}

CASE(named_barrier_between_block_barriers) {
  const buffer<unsigned> results(3 * 96);
  mixed_with_syncthreads<<<3, 96>>>(results);
  show("results", results);
}
