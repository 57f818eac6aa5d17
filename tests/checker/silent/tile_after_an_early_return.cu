// Threads without an element return; the others partition the block into tiles.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;
__managed__ int heads;

__global__ void count(int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  if (tile.thread_rank() == 0) atomicAdd(&heads, 1);
}

int main() {
  count<<<2, 96>>>(150);
  cudaDeviceSynchronize();
  printf("%d\n", heads);
}
