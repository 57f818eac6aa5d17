// Two producer warps each announce half of a row; a third warp sums both halves.
#include <cstdio>

__managed__ int total;

__global__ void add_halves() {
  __shared__ int row[64];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 64) {
    row[threadIdx.x] = threadIdx.x;
    asm volatile("bar.arrive 1, 96;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, 96;" ::: "memory");
    const int sum = __reduce_add_sync(0xffffffff, row[lane] + row[lane + 32]);
    if (lane == 0) total = sum;
  }
}

int main() {
  add_halves<<<1, 96>>>();
  cudaDeviceSynchronize();
  printf("%d\n", total);
}
