// Pairs with overlapping masks: lanes 1 and 2 meet first, then 0 and 1, then 2 and 3.
#include <cstdio>

__managed__ int sums[4];

__global__ void meet() {
  const int lane = threadIdx.x;
  int value = 1 << lane;
  if (lane == 1 || lane == 2) value += __shfl_xor_sync(0x6, value, 3);
  if (lane < 2) {
    value += __shfl_xor_sync(0x3, value, 1);
  } else {
    value += __shfl_xor_sync(0xc, value, 1);
  }
  sums[lane] = value;
}

int main() {
  meet<<<1, 4>>>();
  cudaDeviceSynchronize();
  printf("%d %d %d %d\n", sums[0], sums[1], sums[2], sums[3]);
}
