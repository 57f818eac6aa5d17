// Counts how often each last digit occurs among 256 numbers.
#include <cstdio>

__managed__ unsigned histogram[10];

__global__ void count_digits() {
  const int number = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&histogram[number % 10], 1u);
}

int main() {
  count_digits<<<4, 64>>>();
  cudaDeviceSynchronize();
  printf("%u %u\n", histogram[0], histogram[9]);
}
