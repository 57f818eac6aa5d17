// Computes a number on the device and prints it.
#include <cstdio>

__global__ void compute(float* result) { *result = 2.75f; }

int main() {
  float* result;
  cudaMalloc(&result, sizeof(float));
  compute<<<1, 1>>>(result);
  cudaDeviceSynchronize();
  printf("%f\n", *result);
  cudaFree(result);
}
