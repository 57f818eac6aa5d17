// Copies a tile asynchronously, with a barrier that tracks the copy, and mirrors the tile.
#include <cooperative_groups.h>

#include <cstdio>
#include <cuda/barrier>

#pragma nv_diag_suppress static_var_with_dynamic_init
namespace cg = cooperative_groups;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

constexpr int threads = 64;
__managed__ int in[threads], out[threads];

__global__ void mirror() {
  __shared__ block_barrier arrived;
  __shared__ int tile[threads];
  const cg::thread_block block = cg::this_thread_block();
  if (threadIdx.x == 0) init(&arrived, threads);
  block.sync();
  cuda::memcpy_async(block, tile, in, sizeof tile, arrived);
  const auto token = arrived.arrive();
  (void)token;
  block.sync();
  out[threadIdx.x] = tile[threads - 1 - threadIdx.x];
}

int main() {
  for (int i = 0; i < threads; ++i) in[i] = i;
  mirror<<<1, threads>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", out[0], out[threads - 1]);
}
