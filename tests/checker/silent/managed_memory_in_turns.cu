// Host and device take turns in changing managed memory.
#include <cstdio>

__global__ void increment(int* values) { values[threadIdx.x] += 1; }

int main() {
  int* values;
  cudaMallocManaged(&values, 64 * sizeof(int));
  for (int i = 0; i < 64; ++i) values[i] = i;
  for (int round = 0; round < 3; ++round) {
    increment<<<1, 64>>>(values);
    cudaDeviceSynchronize();
    values[round] = 0;
  }
  printf("%d %d %d\n", values[0], values[2], values[63]);
  cudaFree(values);
}
