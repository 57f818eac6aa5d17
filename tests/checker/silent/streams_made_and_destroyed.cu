// Each round clears its memory on a new stream, waits for it, and continues on another stream.
#include <cstdio>

__global__ void fill(int* values) { values[threadIdx.x] += threadIdx.x; }

int main() {
  cudaStream_t work;
  cudaStreamCreateWithFlags(&work, cudaStreamNonBlocking);
  int sum = 0;
  for (int round = 0; round < 8; ++round) {
    int* values;
    cudaMalloc(&values, 64 * sizeof(int));
    cudaStream_t aside;
    cudaStreamCreateWithFlags(&aside, cudaStreamNonBlocking);
    for (int clears = 8 - round; clears > 0; --clears) {
      cudaMemsetAsync(values, 0, 64 * sizeof(int), aside);
    }
    cudaStreamSynchronize(aside);
    cudaStreamDestroy(aside);
    fill<<<1, 64, 0, work>>>(values);
    int last;
    cudaMemcpyAsync(&last, values + 63, sizeof(int), cudaMemcpyDeviceToHost, work);
    cudaStreamSynchronize(work);
    sum += last;
    cudaFree(values);
  }
  cudaStreamDestroy(work);
  printf("%d\n", sum);
}
