// Inline PTX: `exit` ends a lane anywhere, even in a function that the kernel calls.
#include "conformance.hpp"
#include "values.cuh"

using namespace conformance;

__device__ __noinline__ unsigned value_or_exit(unsigned value, unsigned limit) {
  if (value >= limit) asm volatile("exit;");
  return value + 1;
}

__device__ void exit_if(bool ends) {
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, 0; @p exit; }" ::"r"(unsigned{ends}));
}

__global__ void exit_in_a_function(unsigned* results) {
  unsigned value = mix(rank_in_grid()) % 100;
  for (unsigned limit = 90; limit > 10; limit -= 10) {
    value = value_or_exit(value, limit);
    results[rank_in_grid()] = value;
  }
}

CASE(lanes_exit_without_an_operation) {
  const buffer<unsigned> results(3 * 96);
  exit_in_a_function<<<3, 96>>>(results);
  show("line", results);
  exit_in_a_function<<<3, dim3(6, 4, 4)>>>(results);
  show("box", results);
}

// Each round ends one lane. Those that stay add up what the lanes of the ballot show.
__global__ void exit_between_operations(unsigned* results) {
  unsigned value = mix(rank_in_grid()) % 1000;
  for (unsigned round = 0; round < 32; ++round) {
    exit_if(lane_id() == (round * 7 + warp_id()) % 32);
    const unsigned staying = __ballot_sync(full_mask, 1);
    value += __reduce_add_sync(staying, value % 1000);
    results[rank_in_grid()] = value;
    results[rank_in_grid() + gridDim.x * blockDim.x] = staying;
  }
}

CASE(lanes_exit_between_operations_of_a_warp) {
  const buffer<unsigned> results(2 * 2 * 64);
  exit_between_operations<<<2, 64>>>(results);
  show("results", results);
}

__global__ void exit_before_a_barrier(unsigned* results) {
  __shared__ unsigned sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  exit_if(threadIdx.x % 3 == 1);
  atomicAdd(&sum, threadIdx.x);
  __syncthreads();
  exit_if(threadIdx.x % 3 == 2);
  results[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

CASE(barriers_do_not_wait_for_lanes_that_exited) {
  const buffer<unsigned> results(5 * 160);
  exit_before_a_barrier<<<5, 160>>>(results);
  show("sums", results);
}
