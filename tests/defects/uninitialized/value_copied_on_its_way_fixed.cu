// Reverses an array, copies it once more, and prints its last element.
#include <cstdio>

constexpr int count = 32;

__global__ void fill(int* values) { values[threadIdx.x] = threadIdx.x; }

__global__ void reverse(const int* from, int* to) {
  to[threadIdx.x] = from[count - 1 - threadIdx.x];
}

int main() {
  int *values, *reversed, *copied, host[count];
  cudaMalloc(&values, sizeof(host));
  cudaMalloc(&reversed, sizeof(host));
  cudaMalloc(&copied, sizeof(host));
  fill<<<1, count>>>(values);
  reverse<<<1, count>>>(values, reversed);
  cudaMemcpy(copied, reversed, sizeof(host), cudaMemcpyDeviceToDevice);
  cudaMemcpy(host, copied, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d\n", host[count - 1]);
  cudaFree(values);
  cudaFree(reversed);
  cudaFree(copied);
}
