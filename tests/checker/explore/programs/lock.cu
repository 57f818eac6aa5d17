// Three lanes, two of them in one warp, increment a counter under a lock.
#include <cstdio>

__device__ int lock, counter;

__global__ void count() {
  if (threadIdx.x > 1 && threadIdx.x != 32) return;
  bool is_done = false;
  while (!is_done) {
    if (atomicCAS(&lock, 0, 1) != 0) continue;
    __threadfence();
    counter = counter + 1;
    __threadfence();
    atomicExch(&lock, 0);
    is_done = true;
  }
}

int main() {
  count<<<1, 64>>>();
  int result = 0;
  cudaMemcpyFromSymbol(&result, counter, sizeof result);
  printf("%d\n", result);
}
