// Adds the sum of the previous block to every element.
#include <cstdio>

constexpr int blocks = 4;
__managed__ int block_sum[blocks];
__managed__ int result[blocks * 32];

__global__ void sum_and_shift() {
  const int i = blockIdx.x * 32 + threadIdx.x;
  const int sum = __reduce_add_sync(0xffffffff, i);
  if (threadIdx.x == 0) block_sum[blockIdx.x] = sum;
  __syncthreads();
  const int before = blockIdx.x > 0 ? block_sum[blockIdx.x - 1] : 0;
  result[i] = i + before;
}

int main() {
  sum_and_shift<<<blocks, 32>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", result[32], result[blocks * 32 - 1]);
}
