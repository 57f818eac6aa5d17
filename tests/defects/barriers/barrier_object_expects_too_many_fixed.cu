// Three of four warps exchange values; they wait for each other at a barrier object.
#include <cuda/barrier>

#include <cstdio>

#pragma nv_diag_suppress static_var_with_dynamic_init
using block_barrier = cuda::barrier<cuda::thread_scope_block>;
__managed__ int result[96];

__global__ void exchange() {
  __shared__ block_barrier computed;
  __shared__ int values[96];
  if (threadIdx.x == 0) init(&computed, 96);
  __syncthreads();
  if (threadIdx.x >= 96) return;
  values[threadIdx.x] = threadIdx.x;
  computed.arrive_and_wait();
  result[threadIdx.x] = values[95 - threadIdx.x];
}

int main() {
  exchange<<<1, 128>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", result[0], result[95]);
}
