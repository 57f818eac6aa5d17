// One block hands a number to another; both the number and the flag are volatile.
#include <cstdio>

__device__ volatile int number, is_there;
__managed__ int received;

__global__ void hand_over() {
  if (blockIdx.x == 0) {
    number = 42;
    is_there = 1;
  } else {
    while (is_there == 0) {
    }
    received = number;
  }
}

int main() {
  hand_over<<<2, 1>>>();
  cudaDeviceSynchronize();
  printf("%d\n", received);
}
