// Computes a number and copies it back asynchronously.
#include <cstdio>

__global__ void compute(int* number) { *number = 42; }

int main() {
  int *number, *answer;
  cudaMalloc(&number, sizeof(int));
  cudaMallocHost(&answer, sizeof(int));
  *answer = 0;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  compute<<<1, 1, 0, stream>>>(number);
  cudaMemcpyAsync(answer, number, sizeof(int), cudaMemcpyDeviceToHost, stream);
  printf("%d\n", *answer);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  cudaFreeHost(answer);
  cudaFree(number);
}
