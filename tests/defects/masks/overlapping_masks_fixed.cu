// The two halves of a warp sum their values separately.
#include <cstdio>

__managed__ unsigned sums[2];

__global__ void sum_halves() {
  const unsigned lane = threadIdx.x;
  if (lane < 16) {
    const unsigned sum = __reduce_add_sync(0x0000ffff, lane);
    if (lane == 0) sums[0] = sum;
  } else {
    const unsigned sum = __reduce_add_sync(0xffff0000, lane);
    if (lane == 16) sums[1] = sum;
  }
}

int main() {
  sum_halves<<<1, 32>>>();
  cudaDeviceSynchronize();
  printf("%u %u\n", sums[0], sums[1]);
}
