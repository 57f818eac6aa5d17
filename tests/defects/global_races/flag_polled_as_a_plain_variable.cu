// The second block waits until the first has set a flag.
#include <cstdio>

__device__ int ready;
__managed__ int waited;

__global__ void wait_for_flag() {
  if (blockIdx.x == 0) {
    ready = 1;
  } else {
    while (ready == 0) {
      __nanosleep(100);
    }
    waited = 1;
  }
}

int main() {
  wait_for_flag<<<2, 1>>>();
  cudaDeviceSynchronize();
  printf("%d\n", waited);
}
