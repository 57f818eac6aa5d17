// Each thread writes a number and, after a barrier, reads its neighbour's.
#include <cstdio>

__global__ void exchange(int* numbers, int* sums) {
  numbers[threadIdx.x] = threadIdx.x;
  __syncthreads();
  sums[threadIdx.x] = __ldg(numbers + (threadIdx.x ^ 1));
}

int main() {
  int *numbers = nullptr, *sums = nullptr;
  cudaMalloc(&numbers, 64 * sizeof(int));
  cudaMallocManaged(&sums, 64 * sizeof(int));
  exchange<<<1, 64>>>(numbers, sums);
  cudaDeviceSynchronize();
  printf("%d\n", sums[63]);
  cudaFree(numbers);
  cudaFree(sums);
}
