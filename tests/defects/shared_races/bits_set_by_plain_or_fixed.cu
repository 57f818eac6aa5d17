// Marks which of 64 keys occur, with one bit for each key.
#include <cstdio>

__managed__ unsigned marked[2];

__global__ void mark() {
  __shared__ unsigned seen[2];
  if (threadIdx.x < 2) seen[threadIdx.x] = 0;
  __syncthreads();
  const int key = (threadIdx.x * 5) % 64;
  atomicOr(&seen[key / 32], 1u << (key % 32));
  __syncthreads();
  if (threadIdx.x < 2) marked[threadIdx.x] = seen[threadIdx.x];
}

int main() {
  mark<<<1, 64>>>();
  cudaDeviceSynchronize();
  printf("%08x %08x\n", marked[0], marked[1]);
}
