// Appends to a list under a spin lock.
#include <cstdio>

__device__ int mutex;
__managed__ int list[64];
__managed__ int length;

__global__ void append() {
  if (threadIdx.x != 0) return;
  while (atomicCAS(&mutex, 0, 1) != 0) {
  }
  __threadfence();
  list[length] = blockIdx.x;
  length += 1;
  __threadfence();
  mutex = 0;
}

int main() {
  append<<<4, 32>>>();
  cudaDeviceSynchronize();
  printf("%d\n", length);
}
