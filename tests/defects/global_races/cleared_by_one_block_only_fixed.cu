// Clears the result, then sums the values of four blocks into it.
#include <cstdio>

__managed__ int total;

__global__ void sum() {
  __syncthreads();
  const int sum_of_warp = __reduce_add_sync(0xffffffff, 1);
  if (threadIdx.x % 32 == 0) atomicAdd(&total, sum_of_warp);
}

int main() {
  total = 0;
  sum<<<4, 64>>>();
  cudaDeviceSynchronize();
  printf("%d\n", total);
}
