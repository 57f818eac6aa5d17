// Uploads a buffer in two halves and frees the host's copy.
#include <cstdio>

int main() {
  const int n = 1024;
  int *upload, *numbers, last;
  cudaHostAlloc(&upload, n * sizeof(int), cudaHostAllocDefault);
  cudaMalloc(&numbers, n * sizeof(int));
  for (int i = 0; i < n; ++i) upload[i] = i;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  const size_t half = n / 2 * sizeof(int);
  cudaMemcpyAsync(numbers, upload, half, cudaMemcpyHostToDevice, stream);
  cudaStreamSynchronize(stream);
  cudaFreeHost(upload);
  cudaMemcpyAsync(numbers + n / 2, upload + n / 2, half, cudaMemcpyHostToDevice, stream);
  cudaStreamSynchronize(stream);
  cudaMemcpy(&last, numbers + n / 2 - 1, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", last);
  cudaFree(numbers);
  cudaStreamDestroy(stream);
}
