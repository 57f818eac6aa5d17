// The host waits for an event in the middle of a stream, continues, then waits for the rest.
#include <cstdio>

constexpr int count = 256;

__global__ void fill(int* values, int by) { values[threadIdx.x] = by; }

int main() {
  int *first, *second, *pinned, *other;
  cudaStream_t one, two;
  cudaEvent_t half;
  cudaMalloc(&first, count * sizeof(int));
  cudaMalloc(&second, count * sizeof(int));
  cudaMalloc(&other, count * sizeof(int));
  cudaMallocHost(&pinned, count * sizeof(int));
  cudaStreamCreate(&one);
  cudaStreamCreate(&two);
  cudaEventCreate(&half);
  fill<<<1, count, 0, one>>>(first, 1);
  cudaEventRecord(half, one);
  fill<<<1, count, 0, one>>>(second, 2);
  cudaMemcpyAsync(pinned, second, count * sizeof(int), cudaMemcpyDeviceToHost, one);
  cudaEventSynchronize(half);
  for (int round = 0; round < 50; ++round) {
    fill<<<1, count, 0, two>>>(other, round);
    cudaStreamSynchronize(two);
  }
  cudaStreamSynchronize(one);
  printf("%d\n", pinned[count - 1]);
  cudaFree(first);
  cudaFree(second);
  cudaFree(other);
  cudaFreeHost(pinned);
  cudaStreamDestroy(one);
  cudaStreamDestroy(two);
  cudaEventDestroy(half);
}
