// Adds up twenty values in one warp and prints the total with the time it took.
#include <chrono>
#include <cstdio>

__global__ void add_up(const int* values, int count, int* total) {
  if (threadIdx.x >= count) return;
  int sum = values[threadIdx.x];
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_down_sync(0xffffffff, sum, distance);
  }
  if (threadIdx.x == 0) *total = sum;
}

int main() {
  constexpr int count = 20;
  int *values, *total, host = 0;
  cudaMalloc(&values, count * sizeof(int));
  cudaMalloc(&total, sizeof(int));
  cudaMemset(values, 0, count * sizeof(int));
  const auto begin = std::chrono::steady_clock::now();
  add_up<<<1, 32>>>(values, count, total);
  cudaMemcpy(&host, total, sizeof(int), cudaMemcpyDeviceToHost);
  const std::chrono::nanoseconds time = std::chrono::steady_clock::now() - begin;
  printf("%d in %lld ns\n", host, static_cast<long long>(time.count()));
  cudaFree(values);
  cudaFree(total);
}
