// Sums in three rounds, with a new buffer for each round.
#include <cstdio>

__managed__ int total;

__global__ void sum(int* buffer, int round) {
  buffer[threadIdx.x] = round * threadIdx.x;
  atomicAdd(&total, buffer[threadIdx.x]);
}

int main() {
  int* buffer = nullptr;
  for (int round = 0; round < 3; ++round) {
    cudaMalloc(&buffer, 64 * sizeof(int));
    sum<<<1, 64>>>(buffer, round);
    cudaDeviceSynchronize();
  }
  printf("%d\n", total);
  cudaFree(buffer);
}
