// Allocates, uses and frees a buffer in stream order.
#include <cstdio>

__managed__ int sum;

__global__ void work(const int* buffer) { atomicAdd(&sum, buffer[threadIdx.x]); }

int main() {
  cudaStream_t working, cleaning;
  cudaStreamCreate(&working);
  cudaStreamCreate(&cleaning);
  int* buffer;
  cudaMallocAsync(&buffer, 64 * sizeof(int), working);
  cudaMemsetAsync(buffer, 1, 64 * sizeof(int), working);
  cudaStreamSynchronize(working);
  work<<<1, 64, 0, working>>>(buffer);
  cudaFreeAsync(buffer, cleaning);
  cudaDeviceSynchronize();
  printf("%d\n", sum);
  cudaStreamDestroy(working);
  cudaStreamDestroy(cleaning);
}
