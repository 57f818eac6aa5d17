// One block fills a table and announces it with an atomic counter; another block copies it.
#include <cstdio>

__device__ volatile int table[64];
__device__ int announced;
__managed__ int copy[64];

__global__ void announce_and_copy() {
  const unsigned i = threadIdx.x;
  if (blockIdx.x == 0) {
    table[i] = i + 1;
    __syncthreads();
    if (i != 0) return;
    __threadfence_block();
    atomicAdd(&announced, 1);
  } else {
    while (i == 0 && atomicAdd(&announced, 0) == 0) {
    }
    __threadfence_block();
    __syncthreads();
    copy[i] = table[i];
  }
}

int main() {
  announce_and_copy<<<2, 64>>>();
  cudaDeviceSynchronize();
  printf("%d\n", copy[63]);
}
