// Each warp sums half of the values; threads do other work between arrival and use of the sums.
#include <cuda/barrier>

#include <cstdio>

#pragma nv_diag_suppress static_var_with_dynamic_init
using block_barrier = cuda::barrier<cuda::thread_scope_block>;
__managed__ int result[64];

__global__ void add_halves() {
  __shared__ block_barrier ready;
  __shared__ int halves[2];
  if (threadIdx.x == 0) init(&ready, blockDim.x);
  __syncthreads();
  const int sum = __reduce_add_sync(0xffffffff, threadIdx.x);
  if (threadIdx.x % 32 == 0) halves[threadIdx.x / 32] = sum;
  auto token = ready.arrive();
  const int weight = threadIdx.x * threadIdx.x;
  ready.wait(std::move(token));
  result[threadIdx.x] = weight + halves[0] + halves[1];
}

int main() {
  add_halves<<<1, 64>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", result[0], result[63]);
}
