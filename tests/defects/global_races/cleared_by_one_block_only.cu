// Clears the result, then sums the values of four blocks into it.
#include <cstdio>

__managed__ int total;

__global__ void sum() {
  if (blockIdx.x == 0 && threadIdx.x == 0) total = 0;
  __syncthreads();
  const int sum_of_warp = __reduce_add_sync(0xffffffff, 1);
  if (threadIdx.x % 32 == 0) atomicAdd(&total, sum_of_warp);
}

int main() {
  sum<<<4, 64>>>();
  cudaDeviceSynchronize();
  printf("%d\n", total);
}
