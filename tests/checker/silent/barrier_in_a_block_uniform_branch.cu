// Whole blocks take different branches, each with its own barriers.
#include <cstdio>

__managed__ int result[128];

__global__ void reverse_or_rotate() {
  __shared__ int values[64];
  const int i = threadIdx.x;
  values[i] = i;
  if (blockIdx.x == 0) {
    __syncthreads();
    result[i] = values[63 - i];
  } else {
    for (int round = 0; round < 3; ++round) {
      __syncthreads();
      const int next = values[(i + 1) % 64];
      __syncthreads();
      values[i] = next;
    }
    result[64 + i] = values[i];
  }
}

int main() {
  reverse_or_rotate<<<2, 64>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", result[0], result[64]);
}
