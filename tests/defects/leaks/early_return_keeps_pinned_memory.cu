// Counts the results of a kernel; a pinned buffer is ready to receive them.
#include <cstdio>

__managed__ int count;

__global__ void compute() {
  if (threadIdx.x > 100) atomicAdd(&count, 1);
}

int main() {
  int* results;
  cudaMallocHost(&results, 64 * sizeof(int));
  compute<<<1, 64>>>();
  cudaDeviceSynchronize();
  if (count == 0) {
    printf("nothing found\n");
    return 0;
  }
  printf("%d found\n", count);
  cudaFreeHost(results);
}
