// Measures how long a kernel takes.
#include <cstdio>

__managed__ int sum;

__global__ void work() { atomicAdd(&sum, 1); }

int main() {
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventRecord(start);
  work<<<4, 64>>>();
  cudaEventRecord(stop);
  cudaEventSynchronize(stop);
  float milliseconds = 0;
  cudaEventElapsedTime(&milliseconds, start, stop);
  printf("%d, %s\n", sum, milliseconds >= 0 ? "measured" : "not measured");
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
}
