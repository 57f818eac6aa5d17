// The tail of the tile is loaded but never written; a condition keeps it out of the sum.
#include <cstdio>

__managed__ int total;

__global__ void sum(int n) {
  __shared__ int tile[64];
  if (threadIdx.x < n) tile[threadIdx.x] = 2;
  __syncthreads();
  const int loaded = tile[63 - threadIdx.x];
  const int counted = 63 - int(threadIdx.x) < n ? loaded : 0;
  atomicAdd(&total, counted);
}

int main() {
  sum<<<1, 64>>>(40);
  cudaDeviceSynchronize();
  printf("%d\n", total);
}
