// One block passes a table to another with a volatile flag and fences.
#include <cstdio>

__device__ int table[32];
__device__ volatile int is_ready;
__managed__ int copy[32];

__global__ void hand_over() {
  if (blockIdx.x == 0) {
    table[threadIdx.x] = 3 * threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      is_ready = 1;
    }
  } else {
    if (threadIdx.x == 0) {
      while (is_ready == 0) {
      }
      __threadfence();
    }
    __syncthreads();
    copy[threadIdx.x] = table[threadIdx.x];
  }
}

int main() {
  hand_over<<<2, 32>>>();
  cudaDeviceSynchronize();
  printf("%d\n", copy[31]);
}
