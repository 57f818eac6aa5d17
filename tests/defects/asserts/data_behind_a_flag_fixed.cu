// One block stores numbers and sets a flag; the other waits for the flag and adds them up.
#include <cassert>
#include <cstdio>

__device__ volatile int numbers[8];
__device__ volatile int is_ready;
__managed__ int total;

__global__ void hand_over() {
  if (blockIdx.x == 0) {
    for (int i = 0; i < 8; ++i) numbers[i] = i + 1;
    __threadfence();
    is_ready = 1;
  } else {
    while (is_ready == 0) __nanosleep(20);
    __threadfence();
    int sum = 0;
    for (int i = 0; i < 8; ++i) sum += numbers[i];
    assert(sum == 36);
    total = sum;
  }
}

int main() {
  hand_over<<<2, 1>>>();
  cudaDeviceSynchronize();
  printf("%d\n", total);
}
