// Reverses the first eight of 64 numbers through dynamic shared memory.
#include <cstdio>

constexpr int n = 64;
__managed__ int numbers[n];

__global__ void reverse() {
  extern __shared__ int scratch[];
  scratch[threadIdx.x] = numbers[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < n / 8) numbers[threadIdx.x] = scratch[n / 8 - 1 - threadIdx.x];
}

int main() {
  for (int i = 0; i < n; ++i) numbers[i] = i;
  reverse<<<1, n, n>>>();
  cudaDeviceSynchronize();
  printf("%d\n", numbers[0]);
}
