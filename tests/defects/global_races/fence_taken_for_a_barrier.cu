// Each thread publishes a value and reads the value of its counterpart in the other block.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;
__managed__ int values[64];
__managed__ int mirrored[64];

__global__ void mirror() {
  const int i = cg::this_grid().thread_rank();
  values[i] = i * i;
  __threadfence();
  mirrored[i] = values[63 - i];
}

int main() {
  cudaLaunchCooperativeKernel(mirror, dim3(2), dim3(32), nullptr);
  cudaDeviceSynchronize();
  printf("%d %d\n", mirrored[0], mirrored[63]);
}
