// Sums two tiles; the second is copied while the first is summed.
#include <cuda_pipeline.h>

#include <cstdio>

constexpr int threads = 64;
__managed__ int in[2 * threads];
__managed__ int sums[threads];

__global__ void sum_tiles() {
  __shared__ int stage[2][threads];
  for (int tile = 0; tile < 2; ++tile) {
    const int* from = &in[tile * threads + threadIdx.x];
    __pipeline_memcpy_async(&stage[tile][threadIdx.x], from, sizeof(int));
    __pipeline_commit();
  }
  int sum = 0;
  for (int tile = 0; tile < 2; ++tile) {
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += stage[tile][threads - 1 - threadIdx.x];
  }
  sums[threadIdx.x] = sum;
}

int main() {
  for (int i = 0; i < 2 * threads; ++i) in[i] = i;
  sum_tiles<<<1, threads>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", sums[0], sums[threads - 1]);
}
