// Blocks take turns: each waits until the block before it has finished.
#include <cstdio>

constexpr int blocks = 4;
__device__ int finished[blocks];
__managed__ int order[blocks];

__global__ void take_turns() {
  const int before = (blockIdx.x + blocks - 1) % blocks;
  while (atomicAdd(&finished[before], 0) == 0) {
  }
  order[blockIdx.x] = blockIdx.x + 1;
  atomicExch(&finished[blockIdx.x], 1);
}

int main() {
  take_turns<<<blocks, 1>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", order[0], order[blocks - 1]);
}
