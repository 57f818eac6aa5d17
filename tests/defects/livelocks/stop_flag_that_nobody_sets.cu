// A worker block polls until a flag stops it.
#include <cstdio>

__device__ int stop;
__managed__ int polled;

__global__ void serve() {
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
