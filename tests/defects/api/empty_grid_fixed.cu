// Doubles n values, for n = 64 and then for n = 0.
#include <cstdio>

__managed__ int values[64];

__global__ void twice(int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= 2;
}

int main() {
  for (int n : {64, 0}) {
    const int blocks = (n + 31) / 32;
    if (blocks > 0) twice<<<blocks, 32>>>(n);
  }
  cudaDeviceSynchronize();
  printf("%d\n", values[0]);
}
