// Producers mark a stage as full and consumers mark it as empty, both without waiting.
#include <cstdio>

constexpr int stages = 2, tiles = 6;
__managed__ int sums[tiles];

__device__ void arrive(int barrier) {
  asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "n"(64) : "memory");
}
__device__ void wait(int barrier) {
  asm volatile("bar.sync %0, %1;" ::"r"(barrier), "n"(64) : "memory");
}

__global__ void stream_tiles() {
  __shared__ int stage[stages][32];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    for (int tile = 0; tile < tiles; ++tile) {
      const int at = tile % stages;
      wait(1 + stages + at);  // until it is empty
      stage[at][lane] = tile * 32 + lane;
      arrive(1 + at);
    }
  } else {
    for (int at = 0; at < stages; ++at) arrive(1 + stages + at);
    for (int tile = 0; tile < tiles; ++tile) {
      const int at = tile % stages;
      wait(1 + at);  // until it is full
      const int value = stage[at][31 - lane];
      if (tile + stages < tiles) arrive(1 + stages + at);
      const int sum = __reduce_add_sync(0xffffffff, value);
      if (lane == 0) sums[tile] = sum;
    }
  }
}

int main() {
  stream_tiles<<<1, 64>>>();
  cudaDeviceSynchronize();
  for (int tile = 0; tile < tiles; ++tile) printf("%d ", sums[tile]);
  printf("\n");
}
