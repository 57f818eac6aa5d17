// Copies a tile asynchronously into shared memory and mirrors it.
#include <cuda_pipeline.h>

#include <cstdio>

constexpr int threads = 128;
__managed__ int in[threads], out[threads];

__global__ void mirror() {
  __shared__ int tile[threads];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = tile[threads - 1 - threadIdx.x];
}

int main() {
  for (int i = 0; i < threads; ++i) in[i] = i;
  mirror<<<1, threads>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", out[0], out[threads - 1]);
}
