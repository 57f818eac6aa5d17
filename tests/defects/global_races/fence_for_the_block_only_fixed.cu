// Blocks pass a number along a chain; each waits for the block before it.
#include <cstdio>

__device__ int payload[4];
__device__ volatile int arrived[4];
__managed__ int last;

__global__ void pass_on() {
  const int block = blockIdx.x;
  int number = 0;
  if (block > 0) {
    while (arrived[block - 1] == 0) {
    }
    __threadfence();
    number = payload[block - 1];
  }
  payload[block] = number + 1;
  __threadfence();
  arrived[block] = 1;
  if (block == 3) last = number + 1;
}

int main() {
  pass_on<<<4, 1>>>();
  cudaDeviceSynchronize();
  printf("%d\n", last);
}
