// Every block adds the prefix of the block before it to its own sum and passes the result on.
#include <cstdio>

constexpr int blocks = 4;
__device__ int prefix[blocks];
__device__ int ready[blocks];
__managed__ int result[blocks];

__global__ void chained_scan() {
  const int sum = __reduce_add_sync(0xffffffff, blockIdx.x + 1);
  if (threadIdx.x != 0) return;
  int before = 0;
  if (blockIdx.x > 0) {
    while (atomicAdd(&ready[blockIdx.x - 1], 0) == 0) {
    }
    before = prefix[blockIdx.x - 1];
  }
  prefix[blockIdx.x] = before + sum;
  atomicExch(&ready[blockIdx.x], 1);
  result[blockIdx.x] = before + sum;
}

int main() {
  chained_scan<<<blocks, 32>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", result[0], result[blocks - 1]);
}
