// The device computes squares; the host prints their sum.
#include <cstdio>

__global__ void square(int* squares) { squares[threadIdx.x] = threadIdx.x * threadIdx.x; }

int main() {
  const int n = 48;
  int* squares;
  cudaMallocManaged(&squares, n * sizeof(int));
  square<<<1, n>>>(squares);
  cudaDeviceSynchronize();
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += squares[i];
  printf("%d\n", sum);
  cudaFree(squares);
}
