// Computes squares in managed memory and prints the last one.
#include <cstdio>

__global__ void square(int* squares) { squares[threadIdx.x] = threadIdx.x * threadIdx.x; }

int main() {
  int* squares;
  cudaMallocManaged(&squares, 64 * sizeof(int));
  square<<<1, 64>>>(squares);
  printf("%d\n", squares[63]);
  cudaDeviceSynchronize();
  cudaFree(squares);
}
