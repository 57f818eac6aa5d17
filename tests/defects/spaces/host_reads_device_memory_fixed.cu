// Computes a number on the device and prints it.
#include <cstdio>

__global__ void compute(float* result) { *result = 2.75f; }

int main() {
  float* result;
  cudaMalloc(&result, sizeof(float));
  compute<<<1, 1>>>(result);
  cudaDeviceSynchronize();
  float host;
  cudaMemcpy(&host, result, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%f\n", host);
  cudaFree(result);
}
