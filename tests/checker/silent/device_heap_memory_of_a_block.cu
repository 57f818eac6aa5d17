// One thread allocates memory for the block and frees it after all threads are done with it.
#include <cstdio>

__managed__ int result[64];

__global__ void reverse() {
  __shared__ int* buffer;
  if (threadIdx.x == 0) buffer = static_cast<int*>(malloc(64 * sizeof(int)));
  __syncthreads();
  buffer[threadIdx.x] = threadIdx.x;
  __syncthreads();
  result[threadIdx.x] = buffer[63 - threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) free(buffer);
}

int main() {
  reverse<<<1, 64>>>();
  cudaDeviceSynchronize();
  printf("%d\n", result[0]);
}
