// Halves values until all of them are below ten; the block votes after every round.
#include <cstdio>

__managed__ int rounds[64];

__global__ void halve() {
  int value = threadIdx.x * 16;
  int round = 0;
  while (true) {
    if (value >= 10) value /= 2;
    ++round;
    if (!__syncthreads_or(value >= 10)) break;
  }
  __syncthreads();
  rounds[threadIdx.x] = round;
}

int main() {
  halve<<<1, 64>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", rounds[1], rounds[63]);
}
