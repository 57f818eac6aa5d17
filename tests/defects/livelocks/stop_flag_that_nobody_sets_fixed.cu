// A worker block polls until a flag stops it.
#include <cstdio>

__device__ volatile int stop;
__managed__ int polled;

__global__ void serve() {
  if (blockIdx.x == 0) {
    stop = 1;
    return;
  }
  int rounds = 0;
  while (stop == 0) {
    ++rounds;
  }
  polled = rounds >= 0;
}

int main() {
  serve<<<2, 1>>>();
  cudaDeviceSynchronize();
  printf("%d\n", polled);
}
