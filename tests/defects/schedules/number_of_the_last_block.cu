// Prints which of four blocks writes last.
#include <cstdio>

__managed__ int last;

__global__ void write_down() { atomicExch(&last, static_cast<int>(blockIdx.x)); }

int main() {
  write_down<<<4, 1>>>();
  cudaDeviceSynchronize();
  printf("block %d\n", last);
}
