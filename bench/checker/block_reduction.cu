// A block reduction with shuffles and shared memory: 4096 blocks of 256 threads, a million in all.
#include <vector>

#include "kernel_time.cuh"

constexpr int threads = 256;
constexpr int blocks = 4096;

__global__ void block_sums(const int* values, int* sums) {
  __shared__ int partial[threads / 32];
  int sum = values[blockIdx.x * blockDim.x + threadIdx.x];
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(~0u, sum, distance);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < threads / 32 ? partial[threadIdx.x] : 0;
    for (int distance = 4; distance > 0; distance /= 2) sum += __shfl_down_sync(~0u, sum, distance);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
  }
}

int main() {
  std::vector<int> numbers(threads * blocks, 1), results(blocks);
  int *values = nullptr, *sums = nullptr;
  cudaMalloc(&values, numbers.size() * sizeof(int));
  cudaMalloc(&sums, results.size() * sizeof(int));
  cudaMemcpy(values, numbers.data(), numbers.size() * sizeof(int), cudaMemcpyHostToDevice);
  print_kernel_time([&] { block_sums<<<blocks, threads>>>(values, sums); });
  cudaMemcpy(results.data(), sums, results.size() * sizeof(int), cudaMemcpyDeviceToHost);
  for (const int sum : results) expect(sum == threads, "a sum");
  cudaFree(values);
  cudaFree(sums);
}
