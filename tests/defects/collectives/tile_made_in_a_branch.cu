// Sums n elements in tiles of sixteen threads, one element per thread.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cstdio>

namespace cg = cooperative_groups;
__managed__ int sums[64];

__global__ void sum_tiles(int n) {
  const cg::thread_block block = cg::this_thread_block();
  const int i = threadIdx.x;
  if (i < n) {
    const auto tile = cg::tiled_partition<16>(block);
    sums[i] = cg::reduce(tile, i, cg::plus<int>());
  }
  block.sync();
  if (i >= n) sums[i] = sums[i - n];
}

int main() {
  sum_tiles<<<1, 64>>>(48);
  cudaDeviceSynchronize();
  printf("%d %d\n", sums[0], sums[63]);
}
