// Threads arrive at a barrier, do other work, and wait before they use what the others wrote.
#include <cuda/barrier>

#include <cstdio>
#include <utility>

#pragma nv_diag_suppress static_var_with_dynamic_init
using block_barrier = cuda::barrier<cuda::thread_scope_block>;
__managed__ int result[64];

__global__ void rotate() {
  __shared__ block_barrier written;
  __shared__ int values[64];
  if (threadIdx.x == 0) init(&written, blockDim.x);
  __syncthreads();
  for (int round = 0; round < 2; ++round) {
    values[threadIdx.x] = threadIdx.x + round;
    auto token = written.arrive();
    const int weight = 2 * threadIdx.x;
    written.wait(std::move(token));
    result[threadIdx.x] = values[(threadIdx.x + 1) % 64] + weight;
    written.arrive_and_wait();
  }
}

int main() {
  rotate<<<1, 64>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", result[0], result[63]);
}
