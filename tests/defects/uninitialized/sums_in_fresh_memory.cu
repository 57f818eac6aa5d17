// Adds three rounds of values to sums in device memory.
#include <cstdio>

__global__ void add_round(float* sums, int round) { sums[threadIdx.x] += round * 0.5f; }

int main() {
  float* sums;
  cudaMalloc(&sums, 64 * sizeof(float));
  for (int round = 0; round < 3; ++round) add_round<<<1, 64>>>(sums, round);
  float host[64];
  cudaMemcpy(host, sums, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%f\n", host[63]);
  cudaFree(sums);
}
