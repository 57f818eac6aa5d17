// Clears bins and counts into them.
#include <cstdio>
#include <cstring>

__global__ void count(int* bins) { atomicAdd(&bins[threadIdx.x % 8], 1); }

int main() {
  int* bins;
  cudaMalloc(&bins, 8 * sizeof(int));
  cudaMemset(bins, 0, 8 * sizeof(int));
  count<<<1, 64>>>(bins);
  int host[8];
  cudaMemcpy(host, bins, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d\n", host[0]);
  cudaFree(bins);
}
