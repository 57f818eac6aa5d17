// Every thread splits its number into decimal digits and adds them up.
#include <cstdio>

__managed__ int sums[32];

__device__ __noinline__ int split(unsigned number, int* digits) {
  int length = 0;
  while (number > 0) {
    digits[length] = number % 10;
    number /= 10;
    ++length;
  }
  return length;
}

__global__ void digit_sums() {
  int digits[8];
  const int length = split(10000u + threadIdx.x * 100000000u, digits);
  int sum = 0;
  for (int i = 0; i < length; ++i) sum += digits[i];
  sums[threadIdx.x] = sum;
}

int main() {
  digit_sums<<<1, 32>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", sums[0], sums[31]);
}
