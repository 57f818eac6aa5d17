// Appends to a list with room for eight numbers, under a lock.
#include <cstdio>

__device__ int mutex;
__managed__ int list[8];
__managed__ int length;

__global__ void append() {
  if (threadIdx.x != 0) return;
  while (atomicCAS(&mutex, 0, 1) != 0) __nanosleep(20);
  __threadfence();
  if (length == 8) return;
  list[length] = blockIdx.x;
  length += 1;
  __threadfence();
  atomicExch(&mutex, 0);
}

int main() {
  append<<<12, 32>>>();
  cudaDeviceSynchronize();
  printf("%d\n", length);
}
