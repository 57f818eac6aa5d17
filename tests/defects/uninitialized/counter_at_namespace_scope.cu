// Counts the odd values of each block in a shared counter that is declared at namespace scope.
#include <cstdio>

__shared__ int odd;
__managed__ int result[4];

__device__ void note(int value) {
  if (value % 2 == 1) atomicAdd(&odd, 1);
}

__global__ void count() {
  if (threadIdx.x == 0 && blockIdx.x == 0) odd = 0;
  __syncthreads();
  note(threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) result[blockIdx.x] = odd;
}

int main() {
  count<<<4, 64>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", result[0], result[3]);
}
