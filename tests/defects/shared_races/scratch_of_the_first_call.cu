// Computes mean and variance of a row with two block sums that use the same scratch memory.
#include <cstdio>

constexpr int threads = 128;
__managed__ float result[2];

__device__ float block_sum(float value) {
  __shared__ float sums[threads / 32];
  for (int distance = 16; distance > 0; distance /= 2) {
    value += __shfl_xor_sync(0xffffffff, value, distance);
  }
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = value;
  __syncthreads();
  float total = 0;
  for (int warp = 0; warp < threads / 32; ++warp) total += sums[warp];
  return total;
}

__global__ void moments() {
  const float value = threadIdx.x;
  const float mean = block_sum(value) / threads;
  const float variance = block_sum((value - mean) * (value - mean)) / threads;
  if (threadIdx.x == 0) {
    result[0] = mean;
    result[1] = variance;
  }
}

int main() {
  moments<<<1, threads>>>();
  cudaDeviceSynchronize();
  printf("%f %f\n", result[0], result[1]);
}
