// Fills a row of 1200 numbers, one thread for each.
#include <cstdio>

constexpr int n = 1200;
__managed__ int row[n];

__global__ void fill() {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  row[i] = i;
}

int main() {
  fill<<<1, n>>>();
  cudaDeviceSynchronize();
  printf("%d\n", row[n - 1]);
}
