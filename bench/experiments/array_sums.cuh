// Sums of an array by loops with different unrolling.
#pragma once
#include "support/calls.cuh"

namespace heddle_bench {

// Thread t of n adds up the values t, t + n, t + 2n, … The number of rounds is known before the
// loop, so the loads of `times` rounds are in flight together.
template <int times>
__global__ __launch_bounds__(warp_bench_threads) void sum_unrolled(const float* values,
                                                                   unsigned count, float* sums) {
  const unsigned threads = gridDim.x * blockDim.x;
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned rounds = count / threads;
  float sum = 0;
#pragma unroll times
  for (unsigned round = 0; round < rounds; ++round) sum += values[thread + round * threads];
  if (thread < count % threads) sum += values[thread + rounds * threads];
  sums[thread] = sum;
}

// The loop that people write: it tests for the end before each load, unrolled or not.
template <int times>
__global__ __launch_bounds__(warp_bench_threads) void sum_grid_stride(const float* values,
                                                                      unsigned count, float* sums) {
  const unsigned threads = gridDim.x * blockDim.x;
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll times
  for (unsigned i = thread; i < count; i += threads) sum += values[i];
  sums[thread] = sum;
}

}  // namespace heddle_bench
