// Reverses 64 values through shared memory.
#include <cstdio>

constexpr int n = 64;
__managed__ int values[n];

__global__ void reverse() {
  __shared__ int reversed[n];
  reversed[n - 1 - threadIdx.x] = values[threadIdx.x];
  __syncwarp();
  values[threadIdx.x] = reversed[threadIdx.x];
}

int main() {
  for (int i = 0; i < n; ++i) values[i] = i;
  reverse<<<1, n>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", values[0], values[n - 1]);
}
