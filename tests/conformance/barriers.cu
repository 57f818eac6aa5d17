// __syncthreads, __syncthreads_count, __syncthreads_and and __syncthreads_or.
#include "conformance.hpp"
#include "values.cuh"

using namespace conformance;

template <int Threads>
__global__ void reverse_in_block(unsigned* results) {
  __shared__ unsigned values[Threads];
  values[threadIdx.x] = mix(rank_in_grid());
  __syncthreads();
  results[rank_in_grid()] = values[Threads - 1 - threadIdx.x];
}

CASE(barrier_reverses_a_block) {
  const buffer<unsigned> small(3 * 33), large(2 * 1024);
  reverse_in_block<33><<<3, 33>>>(small);
  show("33 threads", small);
  reverse_in_block<1024><<<2, 1024>>>(large);
  show("1024 threads", large);
}

__global__ void many_rounds(unsigned* results) {
  // block b runs 10 * b + 1 rounds, the same number in all of its threads
  __shared__ unsigned values[2][96];
  values[0][threadIdx.x] = mix(rank_in_grid());
  for (unsigned round = 0; round <= 10 * blockIdx.x; ++round) {
    __syncthreads();
    values[1 - round % 2][threadIdx.x] =
        values[round % 2][(threadIdx.x + 1) % 96] * 3 + values[round % 2][(threadIdx.x + 40) % 96];
  }
  results[rank_in_grid()] = values[1 - 10 * blockIdx.x % 2][threadIdx.x];
}

CASE(barrier_in_a_loop_of_block_dependent_length) {
  const buffer<unsigned> results(5 * 96);
  many_rounds<<<5, 96>>>(results);
  show("results", results);
}

__global__ void counting(int* results) {
  const unsigned mine = mix(rank_in_grid());
  int* const row = results + rank_in_grid() * 5;
  row[0] = __syncthreads_count(mine % 3 == 0);
  row[1] = __syncthreads_count(static_cast<int>(mine % 2) * 1024);
  row[2] = __syncthreads_and(mine != 12345) != 0;
  row[3] = __syncthreads_or(threadIdx.x == 70 && blockIdx.x == 1) != 0;
  row[4] = __syncthreads_and(threadIdx.x != 70 || blockIdx.x != 1) != 0;
}

CASE(barrier_counts_and_combines) {
  const buffer<int> results(3 * 100 * 5);
  counting<<<3, 100>>>(results);
  show("results", results);
}

__global__ void uniform_condition(unsigned* results) {
  __shared__ unsigned values[64];
  values[threadIdx.x] = mix(rank_in_grid());
  if (blockIdx.x % 2) {
    __syncthreads();
    results[rank_in_grid()] = values[63 - threadIdx.x];
  } else {
    results[rank_in_grid()] = values[threadIdx.x] + 1;
  }
}

CASE(barrier_under_a_block_uniform_condition) {
  const buffer<unsigned> results(4 * 64);
  uniform_condition<<<4, 64>>>(results);
  show("results", results);
}

__device__ __noinline__ unsigned tree_sum(unsigned* scratch, unsigned value) {
  scratch[threadIdx.x] = value;
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) scratch[threadIdx.x] += scratch[threadIdx.x + half];
  }
  __syncthreads();
  const unsigned sum = scratch[0];
  __syncthreads();
  return sum;
}

__global__ void sums_by_tree(unsigned* results) {
  __shared__ unsigned scratch[512];
  const unsigned first = tree_sum(scratch, mix(rank_in_grid()) % 100);
  const unsigned second = tree_sum(scratch, (rank_in_grid() * first) % 1000);
  if (threadIdx.x == 0) {
    results[blockIdx.x * 2] = first;
    results[blockIdx.x * 2 + 1] = second;
  }
}

CASE(barrier_inside_a_function) {
  const buffer<unsigned> results(2 * 20);
  sums_by_tree<<<20, 512>>>(results);
  show("sums", results);
}

__global__ void warps_at_different_speed(unsigned* results) {
  __shared__ unsigned values[8];
  unsigned value = warp_id() + 8 * blockIdx.x;
  for (int round = 0; round < 6; ++round) {
    for (unsigned spin = 0; spin < warp_id() * 100; ++spin) value = mix(value);
    if (lane_id() == 0) values[warp_id()] = value;
    __syncthreads();
    value += values[(warp_id() + 1) % 8];
    __syncthreads();
  }
  results[rank_in_grid()] = value;
}

CASE(barrier_holds_fast_warps_back) {
  const buffer<unsigned> results(2 * 256);
  warps_at_different_speed<<<2, 256>>>(results);
  show("results", results);
}

__global__ void histogram(unsigned* results) {
  __shared__ unsigned bins[16];
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = 0; i < 20; ++i) atomicAdd(&bins[mix(rank_in_grid() * 20 + i) % 16], 1);
  __syncthreads();
  if (threadIdx.x < 16) results[blockIdx.x * 16 + threadIdx.x] = bins[threadIdx.x];
}

CASE(barrier_around_a_shared_histogram) {
  const buffer<unsigned> results(12 * 16);
  histogram<<<12, 160>>>(results);
  show("bins", results);
}
