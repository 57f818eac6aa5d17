// Sums the numbers of a vector.
#include <cstdio>
#include <vector>

__managed__ int total;

__global__ void sum(const int* numbers) { atomicAdd(&total, numbers[threadIdx.x]); }

int main() {
  std::vector<int> numbers(64, 3);
  sum<<<1, 64>>>(numbers.data());
  cudaDeviceSynchronize();
  printf("%d\n", total);
}
