// Adds up an array and prints the sum with the time it took.
#include <chrono>
#include <cstdio>

__global__ void add_up(const int* values, int count, int* sum) {
  for (int i = threadIdx.x; i <= count; i += blockDim.x) atomicAdd(sum, values[i]);
}

int main() {
  constexpr int count = 64;
  int *values, *sum, host = 0;
  cudaMalloc(&values, (count + 1) * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(values, 0, count * sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  const auto begin = std::chrono::steady_clock::now();
  add_up<<<1, 32>>>(values, count, sum);
  cudaMemcpy(&host, sum, sizeof(int), cudaMemcpyDeviceToHost);
  const std::chrono::nanoseconds time = std::chrono::steady_clock::now() - begin;
  printf("%d in %lld ns\n", host, static_cast<long long>(time.count()));
  cudaFree(values);
  cudaFree(sum);
}
