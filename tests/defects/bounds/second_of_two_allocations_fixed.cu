// Copies every second value to an array of half the size.
#include <cstdio>

constexpr int n = 64;

__global__ void thin_out(const int* all, int* some) {
  some[threadIdx.x] = all[2 * threadIdx.x % n];
}

int main() {
  int *all, *some;
  cudaMalloc(&all, n * sizeof(int)), cudaMalloc(&some, n / 2 * sizeof(int));
  cudaMemset(all, 0, n * sizeof(int));
  thin_out<<<1, n / 2>>>(all, some);
  int last;
  cudaMemcpy(&last, some + n / 2 - 1, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", last);
  cudaFree(all), cudaFree(some);
}
