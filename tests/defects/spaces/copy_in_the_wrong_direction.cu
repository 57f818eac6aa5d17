// Sends a number to the device, changes it there and copies it back.
#include <cstdio>

__global__ void increment(int* number) { *number += 1; }

int main() {
  int host = 41;
  int* device;
  cudaMalloc(&device, sizeof(int));
  cudaMemcpy(device, &host, sizeof(int), cudaMemcpyHostToDevice);
  increment<<<1, 1>>>(device);
  cudaMemcpy(&host, device, sizeof(int), cudaMemcpyHostToDevice);
  printf("%d\n", host);
  cudaFree(device);
}
