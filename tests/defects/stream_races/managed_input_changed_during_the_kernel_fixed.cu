// Sums two batches, one after the other, from the same managed buffer.
#include <cstdio>

constexpr int n = 128;
__managed__ int batch[n];
__managed__ int total;

__global__ void add_batch() { atomicAdd(&total, batch[threadIdx.x]); }

int main() {
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < n; ++i) batch[i] = round * n + i;
    add_batch<<<1, n>>>();
    cudaDeviceSynchronize();
  }
  cudaDeviceSynchronize();
  printf("%d\n", total);
}
