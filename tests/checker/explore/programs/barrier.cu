// Lanes of two warps exchange values across a barrier.
#include <cstdio>

__device__ int result[4];

__global__ void exchange() {
  __shared__ int values[4];
  const int me = threadIdx.x / 32 * 2 + threadIdx.x % 32;
  if (threadIdx.x % 32 < 2) values[me] = me;
  __syncthreads();
  if (threadIdx.x % 32 < 2) result[me] = values[3 - me];
}

int main() {
  exchange<<<1, 64>>>();
  int all[4];
  cudaMemcpyFromSymbol(all, result, sizeof all);
  printf("%d %d %d %d\n", all[0], all[1], all[2], all[3]);
}
