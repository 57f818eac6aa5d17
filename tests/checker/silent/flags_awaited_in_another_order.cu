// A block waits for two volatile flags in another order than they are set, and reads a bound that
// may be out of date.
#include <cstdio>

__device__ volatile int first_is_set, second_is_set;
__device__ volatile int bound = 100;
__managed__ int is_past;

__global__ void set_and_wait() {
  if (blockIdx.x == 0) {
    first_is_set = 1;
    bound = 50;
    second_is_set = 1;
  } else {
    while (second_is_set == 0) {
    }
    while (first_is_set == 0) {
    }
    if (bound < 10) return;  // 100 and 50 are both fine
    is_past = 1;
  }
}

int main() {
  set_and_wait<<<2, 1>>>();
  cudaDeviceSynchronize();
  printf("%d\n", is_past);
}
