// Smooths a ring over several blocks; a grid barrier separates the steps.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;
constexpr int cells = 128;
__managed__ float ring[2][cells];

__global__ void smooth(int steps) {
  const cg::grid_group grid = cg::this_grid();
  const int i = grid.thread_rank();
  for (int step = 0; step < steps; ++step) {
    const float* from = ring[step % 2];
    ring[1 - step % 2][i] = (from[(i + 1) % cells] + from[(i + cells - 1) % cells]) / 2;
    grid.sync();
  }
}

int main() {
  for (int i = 0; i < cells; ++i) ring[0][i] = i % 4;
  int steps = 6;
  void* arguments[] = {&steps};
  cudaLaunchCooperativeKernel(smooth, dim3(2), dim3(cells / 2), arguments);
  cudaDeviceSynchronize();
  printf("%f %f\n", ring[0][0], ring[0][cells - 1]);
}
