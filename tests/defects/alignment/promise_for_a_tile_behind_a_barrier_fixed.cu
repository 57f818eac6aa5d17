// Reverses each half of an array; a block-wide asynchronous copy loads it into shared memory.
#include <cooperative_groups.h>

#include <cstdio>
#include <cuda/barrier>

#pragma nv_diag_suppress static_var_with_dynamic_init
namespace cg = cooperative_groups;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

constexpr int threads = 64;
__managed__ alignas(16) int in[2 * threads];
__managed__ int out[2 * threads];

__global__ void turn() {
  __shared__ block_barrier arrived;
  __shared__ alignas(16) int tile[threads];
  const cg::thread_block block = cg::this_thread_block();
  if (threadIdx.x == 0) init(&arrived, threads);
  block.sync();
  const int* const from = in + blockIdx.x * threads;
  cuda::memcpy_async(block, tile, from, cuda::aligned_size_t<16>(sizeof tile), arrived);
  arrived.arrive_and_wait();
  out[blockIdx.x * threads + threadIdx.x] = tile[threads - 1 - threadIdx.x];
}

int main() {
  for (int i = 0; i < 2 * threads; ++i) in[i] = i;
  turn<<<2, threads>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", out[0], out[2 * threads - 1]);
}
