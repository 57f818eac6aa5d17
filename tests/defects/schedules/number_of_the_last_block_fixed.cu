// Prints the largest of four block numbers.
#include <cstdio>

__managed__ int last;

__global__ void write_down() { atomicMax(&last, static_cast<int>(blockIdx.x)); }

int main() {
  write_down<<<4, 1>>>();
  cudaDeviceSynchronize();
  printf("block %d\n", last);
}
