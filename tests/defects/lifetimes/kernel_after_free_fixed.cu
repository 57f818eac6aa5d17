// Makes two passes over a scratch buffer.
#include <cstdio>

__managed__ int total;

__global__ void first_pass(int* scratch) { scratch[threadIdx.x] = threadIdx.x; }

__global__ void second_pass(const int* scratch) { atomicAdd(&total, scratch[threadIdx.x]); }

int main() {
  int* scratch;
  cudaMalloc(&scratch, 64 * sizeof(int));
  first_pass<<<1, 64>>>(scratch);
  second_pass<<<1, 64>>>(scratch);
  cudaDeviceSynchronize();
  printf("%d\n", total);
  cudaFree(scratch);
}
