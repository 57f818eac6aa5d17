// Collects the odd numbers in the order in which the threads get a slot.
#include <cstdio>

__managed__ int collected[64], count;

__global__ void collect() {
  if (threadIdx.x % 2 == 1) collected[atomicAdd(&count, 1)] = threadIdx.x;
}

int main() {
  collect<<<1, 64>>>();
  cudaDeviceSynchronize();
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += collected[i];
  printf("%d numbers, sum %d\n", count, sum);
}
