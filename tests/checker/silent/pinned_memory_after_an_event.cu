// The host reads pinned memory after it has waited for an event recorded after the copy.
#include <cstdio>

__global__ void compute(int* number) { *number = 99; }

int main() {
  int *number, *answer;
  cudaMalloc(&number, sizeof(int));
  cudaMallocHost(&answer, sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaEvent_t copied;
  cudaEventCreate(&copied);
  compute<<<1, 1, 0, stream>>>(number);
  cudaMemcpyAsync(answer, number, sizeof(int), cudaMemcpyDeviceToHost, stream);
  cudaEventRecord(copied, stream);
  cudaEventSynchronize(copied);
  printf("%d\n", *answer);
  cudaEventDestroy(copied);
  cudaStreamDestroy(stream);
  cudaFreeHost(answer);
  cudaFree(number);
}
