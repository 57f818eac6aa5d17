// Blocks take one lock many times; its word keeps changing between 0 and 1.
#include <cstdio>

__device__ int mutex;
__managed__ int sum;

__global__ void add(int rounds) {
  for (int i = 0; i < rounds; ++i) {
    while (atomicCAS(&mutex, 0, 1) != 0) __nanosleep(10);
    __threadfence();
    sum += 1;
    __threadfence();
    atomicExch(&mutex, 0);
  }
}

int main() {
  add<<<3, 1>>>(5);
  cudaDeviceSynchronize();
  printf("%d\n", sum);
}
