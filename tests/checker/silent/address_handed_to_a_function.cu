// A function fills part of a local array through its address, and only that part is used.
#include <cstdio>

__managed__ int sums[32];

__device__ __noinline__ int collect_divisors(int number, int* divisors) {
  int count = 0;
  for (int d = 1; d <= number; ++d) {
    if (number % d == 0) divisors[count++] = d;
  }
  return count;
}

__global__ void sum_divisors() {
  int divisors[32];
  const int count = collect_divisors(threadIdx.x + 1, divisors);
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += divisors[i];
  sums[threadIdx.x] = sum;
}

int main() {
  sum_divisors<<<1, 32>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", sums[5], sums[31]);
}
