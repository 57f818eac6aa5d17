// A histogram of 16 M bytes: each block counts in shared memory and adds to global memory.
#include <numeric>
#include <vector>

#include "kernel_time.cuh"

constexpr int threads = 256;
constexpr int blocks = 64;
constexpr int bins = 256;
constexpr int count = 16 << 20;

__global__ void histogram(const unsigned char* values, unsigned* totals, int n) {
  __shared__ unsigned mine[bins];
  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) mine[bin] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&mine[values[i]], 1u);
  }
  __syncthreads();
  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) atomicAdd(&totals[bin], mine[bin]);
}

int main() {
  std::vector<unsigned char> bytes(count);
  for (int i = 0; i < count; ++i) bytes[i] = static_cast<unsigned char>(i * 2654435761u >> 24);
  std::vector<unsigned> results(bins);
  unsigned char* values = nullptr;
  unsigned* totals = nullptr;
  cudaMalloc(&values, count);
  cudaMalloc(&totals, bins * sizeof(unsigned));
  cudaMemcpy(values, bytes.data(), count, cudaMemcpyHostToDevice);
  cudaMemset(totals, 0, bins * sizeof(unsigned));
  print_kernel_time([&] { histogram<<<blocks, threads>>>(values, totals, count); });
  cudaMemcpy(results.data(), totals, bins * sizeof(unsigned), cudaMemcpyDeviceToHost);
  expect(std::accumulate(results.begin(), results.end(), 0u) == count, "the number of values");
  cudaFree(values);
  cudaFree(totals);
}
