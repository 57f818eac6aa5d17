// Reverses each block's values through a shared array that is declared at namespace scope.
#include <cstdio>

__shared__ int row[64];
__managed__ int result[128];

__device__ int opposite() { return row[63 - threadIdx.x]; }

__global__ void reverse() {
  row[threadIdx.x] = blockIdx.x * 64 + threadIdx.x;
  __syncwarp();
  result[blockIdx.x * 64 + threadIdx.x] = opposite();
}

int main() {
  reverse<<<2, 64>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", result[0], result[127]);
}
