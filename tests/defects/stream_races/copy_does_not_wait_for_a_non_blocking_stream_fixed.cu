// Runs a kernel in its own stream and copies the results with cudaMemcpy.
#include <cstdio>

__global__ void compute(int* results) { results[threadIdx.x] = 3 * threadIdx.x; }

int main() {
  int* results;
  cudaMalloc(&results, 64 * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  compute<<<1, 64, 0, stream>>>(results);
  int host[64];
  cudaMemcpy(host, results, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d\n", host[63]);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  cudaFree(results);
}
