// Sums n numbers, 32 at a time; threads beyond the end have nothing to add.
#include <cstdio>

__managed__ int numbers[100];
__managed__ int total;

__global__ void sum(int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = i < n ? numbers[i] : 0;
  for (int distance = 16; distance > 0; distance /= 2) {
    value += __shfl_down_sync(0xffffffff, value, distance);
  }
  if (threadIdx.x % 32 == 0) atomicAdd(&total, value);
}

int main() {
  for (int i = 0; i < 100; ++i) numbers[i] = i;
  sum<<<2, 64>>>(100);
  cudaDeviceSynchronize();
  printf("%d\n", total);
}
