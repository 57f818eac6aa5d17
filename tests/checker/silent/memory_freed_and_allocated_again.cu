// A new buffer reuses the memory of a freed one of the same size.
#include <cstdio>

__managed__ int total;

__global__ void fill(int* numbers, int value) { numbers[threadIdx.x] = value; }
__global__ void sum(const int* numbers) { atomicAdd(&total, numbers[threadIdx.x]); }

int main() {
  for (int round = 1; round <= 3; ++round) {
    int* numbers;
    cudaMalloc(&numbers, 64 * sizeof(int));
    fill<<<1, 64>>>(numbers, round);
    sum<<<1, 64>>>(numbers);
    cudaFree(numbers);
  }
  cudaDeviceSynchronize();
  printf("%d\n", total);
}
