// The lower half of each warp prepares the data of all its lanes.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;
__managed__ int result[64];

__global__ void prepare() {
  __shared__ int prepared[64];
  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  if (warp.thread_rank() < 16) {
    prepared[threadIdx.x] = threadIdx.x;
    prepared[threadIdx.x + 16] = -int(threadIdx.x);
    warp.sync();
  }
  block.sync();
  result[threadIdx.x] = prepared[threadIdx.x];
}

int main() {
  prepare<<<1, 64>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", result[1], result[17]);
}
