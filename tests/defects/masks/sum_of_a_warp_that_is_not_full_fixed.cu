// Sums 48 numbers, one warp at a time.
#include <cstdio>

__managed__ int numbers[48];
__managed__ int total;

__global__ void sum() {
  int value = threadIdx.x < 48 ? numbers[threadIdx.x] : 0;
  for (int distance = 16; distance > 0; distance /= 2) {
    value += __shfl_down_sync(0xffffffff, value, distance);
  }
  if (threadIdx.x % 32 == 0) atomicAdd(&total, value);
}

int main() {
  for (int i = 0; i < 48; ++i) numbers[i] = i;
  sum<<<1, 64>>>();
  cudaDeviceSynchronize();
  printf("%d\n", total);
}
