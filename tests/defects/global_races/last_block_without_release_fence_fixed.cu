// Sums in one launch: the last block to finish adds the partial sums of all blocks.
#include <cstdio>

constexpr int blocks = 4;
__device__ int partial[blocks];
__device__ unsigned finished;
__managed__ int total;

__global__ void sum() {
  const int value = blockIdx.x * 32 + threadIdx.x;
  const int block_sum = __reduce_add_sync(0xffffffff, value);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = block_sum;
    __threadfence();
    const unsigned before = atomicAdd(&finished, 1);
    if (before == blocks - 1) {
      __threadfence();
      int all = 0;
      for (int i = 0; i < blocks; ++i) all += partial[i];
      total = all;
    }
  }
}

int main() {
  sum<<<blocks, 32>>>();
  cudaDeviceSynchronize();
  printf("%d\n", total);
}
