// A producer warp announces each tile, then fills the same stage again with the next tile.
#include <cstdio>

constexpr int tiles = 4;
__managed__ int sums[tiles];

__global__ void stream_tiles() {
  __shared__ int stage[32];
  const int lane = threadIdx.x % 32;
  for (int tile = 0; tile < tiles; ++tile) {
    if (threadIdx.x < 32) {
      stage[lane] = tile * 32 + lane;
      asm volatile("barrier.cta.arrive.aligned %0, 64;" ::"r"(1 + tile) : "memory");
    } else {
      asm volatile("barrier.cta.sync.aligned %0, 64;" ::"r"(1 + tile) : "memory");
      const int sum = __reduce_add_sync(0xffffffff, stage[lane]);
      if (lane == 0) sums[tile] = sum;
    }
    __syncthreads();  // before the stage is filled again
  }
}

int main() {
  stream_tiles<<<1, 64>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", sums[0], sums[tiles - 1]);
}
