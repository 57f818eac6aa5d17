// Sums the numbers of a vector.
#include <cstdio>
#include <vector>

__managed__ int total;

__global__ void sum(const int* numbers) { atomicAdd(&total, numbers[threadIdx.x]); }

int main() {
  std::vector<int> numbers(64, 3);
  int* copy;
  cudaMalloc(&copy, 64 * sizeof(int));
  cudaMemcpy(copy, numbers.data(), 64 * sizeof(int), cudaMemcpyHostToDevice);
  sum<<<1, 64>>>(copy);
  cudaDeviceSynchronize();
  cudaFree(copy);
  printf("%d\n", total);
}
