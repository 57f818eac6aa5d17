// Copies tiles asynchronously into two stages, one tile ahead of the one that is summed.
#include <cuda_pipeline.h>

#include <cstdio>

constexpr int threads = 64;
constexpr int tiles = 4;
__managed__ int in[tiles * threads], sums[threads];

__global__ void sum_tiles() {
  __shared__ int stage[2][threads];
  __pipeline_memcpy_async(&stage[0][threadIdx.x], &in[threadIdx.x], sizeof(int));
  __pipeline_commit();
  int sum = 0;
  for (int tile = 0; tile < tiles; ++tile) {
    if (tile + 1 < tiles) {
      const int* from = &in[(tile + 1) * threads + threadIdx.x];
      __pipeline_memcpy_async(&stage[(tile + 1) % 2][threadIdx.x], from, sizeof(int));
    }
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += stage[tile % 2][threads - 1 - threadIdx.x];
    __syncthreads();
  }
  sums[threadIdx.x] = sum;
}

int main() {
  for (int i = 0; i < tiles * threads; ++i) in[i] = i;
  sum_tiles<<<1, threads>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", sums[0], sums[threads - 1]);
}
