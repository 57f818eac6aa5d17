// Prints how long a kernel took and the address of its memory, which differ in each run.
#include <chrono>
#include <cstdio>

__global__ void fill(int* numbers) { numbers[threadIdx.x] = threadIdx.x; }

int main() {
  int* numbers = nullptr;
  const auto begin = std::chrono::steady_clock::now();
  cudaMallocManaged(&numbers, 64 * sizeof(int));
  fill<<<1, 64>>>(numbers);
  cudaDeviceSynchronize();
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
  printf("%d at %p after %.6f ms\n", numbers[63], static_cast<const void*>(&begin), taken.count());
  cudaFree(numbers);
}
