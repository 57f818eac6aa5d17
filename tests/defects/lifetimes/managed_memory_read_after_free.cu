// Sums in managed memory; the host prints the result.
#include <cstdio>

__global__ void add(int* sums) { atomicAdd(&sums[threadIdx.x % 4], int(threadIdx.x)); }

int main() {
  int* sums;
  cudaMallocManaged(&sums, 4 * sizeof(int));
  for (int i = 0; i < 4; ++i) sums[i] = 0;
  add<<<1, 64>>>(sums);
  cudaDeviceSynchronize();
  cudaFree(sums);
  printf("%d %d\n", sums[0], sums[3]);
}
