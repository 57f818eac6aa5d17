// A grid-stride sum of 64 M floats by 64 blocks of 256 threads.
#include <vector>

#include "kernel_time.cuh"

constexpr int threads = 256;
constexpr int blocks = 64;
constexpr int count = 64 << 20;

__global__ void strided_sums(const float* values, float* sums, int n) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int i = thread; i < n; i += gridDim.x * blockDim.x) sum += values[i];
  sums[thread] = sum;
}

int main() {
  std::vector<float> numbers(count, 1.0f), results(threads * blocks);
  float *values = nullptr, *sums = nullptr;
  cudaMalloc(&values, numbers.size() * sizeof(float));
  cudaMalloc(&sums, results.size() * sizeof(float));
  cudaMemcpy(values, numbers.data(), numbers.size() * sizeof(float), cudaMemcpyHostToDevice);
  print_kernel_time([&] { strided_sums<<<blocks, threads>>>(values, sums, count); });
  cudaMemcpy(results.data(), sums, results.size() * sizeof(float), cudaMemcpyDeviceToHost);
  for (const float sum : results) expect(sum == count / (threads * blocks), "a sum");
  cudaFree(values);
  cudaFree(sums);
}
