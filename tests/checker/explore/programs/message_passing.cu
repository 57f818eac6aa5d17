// One block sends a value; the other reads it if it has arrived.
#include <cstdio>

__device__ int value, taken;
__device__ int flag;

__global__ void pass() {
  if (blockIdx.x == 0) {
    value = 42;
    __threadfence();
    atomicExch(&flag, 1);
  } else if (atomicAdd(&flag, 0) == 1) {
    __threadfence();
    taken = value;
  }
}

int main() {
  pass<<<2, 1>>>();
  int result = 0;
  cudaMemcpyFromSymbol(&result, taken, sizeof result);
  printf("%d\n", result);
}
