// A block waits until another has set a volatile flag, which publishes no other memory.
#include <cstdio>

__device__ volatile int is_open;
__managed__ int passed[2];

__global__ void pass() {
  if (blockIdx.x == 0) {
    passed[0] = 1;
    is_open = 1;
  } else {
    while (is_open == 0) {
    }
    passed[1] = 1;
  }
}

int main() {
  pass<<<2, 1>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", passed[0], passed[1]);
}
