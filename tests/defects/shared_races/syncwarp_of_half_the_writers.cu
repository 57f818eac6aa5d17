// Each lane of the lower half takes the smaller of its own key and one of the upper half.
#include <cstdio>

__managed__ int smaller[16];

__global__ void merge_halves() {
  __shared__ int keys[32];
  const int lane = threadIdx.x;
  keys[lane] = (lane * 37) % 32;
  if (lane < 16) {
    __syncwarp(0x0000ffff);
    const int other = keys[lane + 16];
    smaller[lane] = min(keys[lane], other);
  }
}

int main() {
  merge_halves<<<1, 32>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", smaller[0], smaller[15]);
}
