// After a barrier in shared memory, each thread takes the value of the next thread.
#include <cuda/barrier>

#include <cstdio>

#pragma nv_diag_suppress static_var_with_dynamic_init
using block_barrier = cuda::barrier<cuda::thread_scope_block>;
__managed__ int result[64];

__global__ void rotate() {
  __shared__ block_barrier ready;
  __shared__ int values[64];
  if (threadIdx.x == 0) init(&ready, blockDim.x);
  values[threadIdx.x] = threadIdx.x;
  ready.arrive_and_wait();
  result[threadIdx.x] = values[(threadIdx.x + 1) % 64];
}

int main() {
  rotate<<<1, 64>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", result[0], result[63]);
}
