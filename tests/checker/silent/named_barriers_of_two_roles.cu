// A producer warp fills a stage for a consumer warp; "full" and "empty" have a named barrier each.
#include <cstdio>

constexpr int full = 1, empty = 2;
__managed__ int sums[4];

__global__ void stream_tiles() {
  __shared__ int stage[32];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    for (int tile = 0; tile < 4; ++tile) {
      stage[lane] = tile * 32 + lane;
      __barrier_sync_count(full, 64);
      __barrier_sync_count(empty, 64);
    }
  } else if (threadIdx.x < 64) {
    for (int tile = 0; tile < 4; ++tile) {
      __barrier_sync_count(full, 64);
      const int value = stage[31 - lane];
      __barrier_sync_count(empty, 64);
      const int sum = __reduce_add_sync(0xffffffff, value);
      if (lane == 0) sums[tile] = sum;
    }
  }
}

int main() {
  stream_tiles<<<1, 96>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", sums[0], sums[3]);
}
