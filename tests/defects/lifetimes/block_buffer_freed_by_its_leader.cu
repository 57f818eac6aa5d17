// One thread allocates a buffer for the block and frees it at the end.
#include <cstdio>

__managed__ int result[128];

__global__ void reverse() {
  __shared__ int* buffer;
  if (threadIdx.x == 0) buffer = static_cast<int*>(malloc(128 * sizeof(int)));
  __syncthreads();
  buffer[threadIdx.x] = threadIdx.x;
  __syncthreads();
  result[threadIdx.x] = buffer[127 - threadIdx.x];
  if (threadIdx.x == 0) free(buffer);
}

int main() {
  reverse<<<1, 128>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", result[0], result[127]);
}
