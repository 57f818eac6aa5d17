// Every block publishes a value; after a grid barrier, each reads the next block's value.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;
__managed__ int values[4], next[4];

__global__ void rotate() {
  cg::grid_group grid = cg::this_grid();
  if (threadIdx.x == 0) values[blockIdx.x] = blockIdx.x * 10;
  grid.sync();
  if (threadIdx.x == 0) next[blockIdx.x] = values[(blockIdx.x + 1) % 4];
}

int main() {
  rotate<<<4, 32>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", next[0], next[3]);
}
