// Counts the warps that have at least one element.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;
__managed__ int total;

__global__ void add(int n) {
  const int i = threadIdx.x;
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  if (i < n) {
    if (warp.thread_rank() == 0) atomicAdd(&total, 1);
  }
}

int main() {
  add<<<1, 96>>>(40);
  cudaDeviceSynchronize();
  printf("%d\n", total);
}
