// Blocks work in rounds with a grid barrier after each; block b has work for b + 1 rounds.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;
__managed__ int done[4];

__global__ void rounds() {
  cg::grid_group grid = cg::this_grid();
  const int mine = blockIdx.x + 1;
  for (int round = 0; round < 4; ++round) {
    if (threadIdx.x == 0 && round < mine) done[blockIdx.x] += 1;
    grid.sync();
  }
}

int main() {
  cudaLaunchCooperativeKernel(rounds, dim3(4), dim3(32), nullptr);
  cudaDeviceSynchronize();
  printf("%d %d\n", done[0], done[3]);
}
