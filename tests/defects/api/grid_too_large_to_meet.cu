// Every thread adds to a sum; after a grid barrier, one thread reads the total.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;
__managed__ int sum, seen;

__global__ void add_and_look() {
  atomicAdd(&sum, 1);
  cg::this_grid().sync();
  if (cg::this_grid().thread_rank() == 0) seen = sum;
}

int main() {
  int device = 0, processors = 0, blocks_each = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_each, add_and_look, 64, 0);
  const int blocks = processors * blocks_each + 1;
  cudaLaunchCooperativeKernel(add_and_look, dim3(blocks), dim3(64), nullptr);
  cudaDeviceSynchronize();
  printf("%d\n", seen > 0);
}
