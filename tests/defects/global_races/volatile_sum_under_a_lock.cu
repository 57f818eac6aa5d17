// Four blocks add to a volatile sum, one at a time, under a lock.
#include <cstdio>

__device__ int lock;
__device__ volatile int sum;

__global__ void add_in_turn() {
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  sum = sum + blockIdx.x;
  atomicExch(&lock, 0);
}

int main() {
  add_in_turn<<<4, 1>>>();
  int total = 0;
  cudaMemcpyFromSymbol(&total, (const void*)&sum, sizeof total);
  printf("%d\n", total);
}
