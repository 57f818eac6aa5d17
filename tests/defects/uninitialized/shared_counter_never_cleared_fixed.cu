// Counts the even values of a block.
#include <cstdio>

__managed__ int result;

__global__ void count_even() {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (threadIdx.x % 2 == 0) {
    atomicAdd(&count, 1);
  }
  __syncthreads();
  if (threadIdx.x == 0) result = count;
}

int main() {
  count_even<<<1, 128>>>();
  cudaDeviceSynchronize();
  printf("%d\n", result);
}
