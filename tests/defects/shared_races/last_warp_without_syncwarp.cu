// Sums 256 numbers; the last steps stay within one warp and need no block barrier.
#include <cstdio>

constexpr int threads = 256;
__managed__ int numbers[threads];
__managed__ int total;

__global__ void sum() {
  __shared__ int partial[threads];
  partial[threadIdx.x] = numbers[threadIdx.x];
  __syncthreads();
  for (int stride = threads / 2; stride >= 32; stride /= 2) {
    if (threadIdx.x < stride) partial[threadIdx.x] += partial[threadIdx.x + stride];
    __syncthreads();
  }
  for (int stride = 16; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) {
      const int other = partial[threadIdx.x + stride];
      partial[threadIdx.x] = partial[threadIdx.x] + other;
    }
  }
  if (threadIdx.x == 0) total = partial[0];
}

int main() {
  for (int i = 0; i < threads; ++i) numbers[i] = i;
  sum<<<1, threads>>>();
  cudaDeviceSynchronize();
  printf("%d\n", total);
}
