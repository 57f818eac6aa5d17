// Adds floats atomically; only the rounding depends on the order, which is not a defect.
#include <cstdio>

__managed__ float sum;

__global__ void add() { atomicAdd(&sum, 1.0f / (1 + blockIdx.x * blockDim.x + threadIdx.x)); }

int main() {
  add<<<2, 64>>>();
  cudaDeviceSynchronize();
  printf("%.3f\n", sum);
}
