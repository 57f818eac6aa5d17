// Measures how long a kernel takes.
#include <cstdio>

__managed__ int counter;

__global__ void work() { atomicAdd(&counter, 1); }

int main() {
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventRecord(start);
  work<<<2, 32>>>();
  cudaEventRecord(stop);
  cudaDeviceSynchronize();
  float milliseconds = -1;
  cudaEventElapsedTime(&milliseconds, start, stop);
  printf("%d, %s\n", counter, milliseconds >= 0 ? "measured" : "not measured");
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
}
