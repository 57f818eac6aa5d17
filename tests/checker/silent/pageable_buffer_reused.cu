// An asynchronous copy from pageable memory has read its source when the call returns.
#include <cstdio>

int main() {
  int source[64], *target, result[2];
  cudaMalloc(&target, 2 * sizeof(source));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  for (int half = 0; half < 2; ++half) {
    for (int i = 0; i < 64; ++i) source[i] = 100 * half + i;
    cudaMemcpyAsync(target + 64 * half, source, sizeof(source), cudaMemcpyHostToDevice, stream);
  }
  cudaStreamSynchronize(stream);
  cudaMemcpy(&result[0], target, sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(&result[1], target + 127, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d %d\n", result[0], result[1]);
  cudaStreamDestroy(stream);
  cudaFree(target);
}
