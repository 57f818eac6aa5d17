// Clears the bins and counts into them.
#include <cstdio>

__global__ void count(unsigned* bins) { atomicAdd(&bins[threadIdx.x % 16], 1u); }

int main() {
  unsigned* bins;
  cudaMalloc(&bins, 16 * sizeof(unsigned));
  cudaStream_t clearing, counting;
  cudaStreamCreate(&clearing);
  cudaStreamCreate(&counting);
  cudaMemsetAsync(bins, 0, 16 * sizeof(unsigned), clearing);
  count<<<1, 64, 0, counting>>>(bins);
  cudaDeviceSynchronize();
  unsigned host[16];
  cudaMemcpy(host, bins, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%u %u\n", host[0], host[15]);
  cudaStreamDestroy(clearing);
  cudaStreamDestroy(counting);
  cudaFree(bins);
}
