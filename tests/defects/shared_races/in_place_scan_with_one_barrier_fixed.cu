// Computes the inclusive prefix sum of one value per thread in shared memory.
#include <cstdio>

constexpr int threads = 128;
__managed__ int result[threads];

__global__ void scan() {
  __shared__ int sums[threads];
  sums[threadIdx.x] = threadIdx.x + 1;
  __syncthreads();
  for (int distance = 1; distance < threads; distance *= 2) {
    int before = 0;
    if (threadIdx.x >= distance) before = sums[threadIdx.x - distance];
    __syncthreads();
    sums[threadIdx.x] += before;
    __syncthreads();
  }
  result[threadIdx.x] = sums[threadIdx.x];
}

int main() {
  scan<<<1, threads>>>();
  cudaDeviceSynchronize();
  printf("%d\n", result[threads - 1]);
}
