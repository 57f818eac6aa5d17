// The lower half of the first warp works in tiles of four lanes.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;
__managed__ int firsts[64];

__global__ void quads() {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int first = threadIdx.x;
  if (warp.meta_group_rank() == 0 && warp.thread_rank() < 16) {
    const auto quad = cg::tiled_partition<4>(warp);
    first = quad.shfl(first, 0);
  }
  firsts[threadIdx.x] = warp.shfl_xor(first, 16);
}

int main() {
  quads<<<1, 64>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", firsts[16], firsts[31]);
}
