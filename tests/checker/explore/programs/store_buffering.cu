// Two lanes of different warps each set their own flag and read the other's.
#include <cstdio>

__device__ int flags[2], seen[2];

__global__ void set_and_look() {
  if (threadIdx.x % 32 != 0) return;
  const int me = threadIdx.x / 32;
  atomicExch(&flags[me], 1);
  seen[me] = *static_cast<volatile int*>(&flags[1 - me]);
}

int main() {
  set_and_look<<<1, 64>>>();
  int result[2];
  cudaMemcpyFromSymbol(result, seen, sizeof result);
  printf("%d %d\n", result[0], result[1]);
}
