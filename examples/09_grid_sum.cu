// One kernel sums a million numbers: partial sums of blocks, a barrier of the grid, the total.
#include <heddle/device/grid.cuh>

#include <cstdio>
#include <vector>

constexpr int threads = 256;
constexpr int count = 1'000'003;

// Every thread gets the total, so the same kernel can use it: here to divide every value by it.
__global__ void share_of_sum(const int* values, long long* partials, long long* total,
                             double* shares) {
  __shared__ heddle::block::scratch<long long, threads> scratch;
  const int first = blockIdx.x * threads + threadIdx.x;
  const int stride = gridDim.x * threads;
  long long mine = 0;
  for (int i = first; i < count; i += stride) mine += values[i];
  const long long sum = heddle::device::reduce_over_grid(mine, heddle::plus{}, scratch, partials);
  if (first == 0) *total = sum;
  for (int i = first; i < count; i += stride) {
    shares[i] = static_cast<double>(values[i]) / static_cast<double>(sum);
  }
}

int main() {
  std::vector<int> values(count);
  long long expected = 0;
  for (int i = 0; i < count; ++i) expected += values[i] = i % 1009 * 7919 % 1009;

  int* device_values;
  long long *partials, *device_total;
  double* device_shares;
  cudaMalloc(&device_values, count * sizeof(int));
  cudaMalloc(&device_total, sizeof(long long));
  cudaMalloc(&device_shares, count * sizeof(double));
  cudaMemcpy(device_values, values.data(), count * sizeof(int), cudaMemcpyHostToDevice);

  try {
    heddle::device::workspace workspace;
    // As many blocks as can be resident at once: a larger grid could not synchronise.
    const int blocks = heddle::device::cooperative_blocks(workspace, {threads}, share_of_sum);
    cudaMalloc(&partials, blocks * sizeof(long long));
    heddle::device::launch_cooperative(workspace, {threads}, share_of_sum, device_values, partials,
                                       device_total, device_shares);
    heddle::check(cudaDeviceSynchronize());
  } catch (const heddle::error& failed) {
    std::printf("%s\n", failed.what());
    return 1;
  }
  long long total = 0;
  std::vector<double> shares(count);
  cudaMemcpy(&total, device_total, sizeof total, cudaMemcpyDeviceToHost);
  cudaMemcpy(shares.data(), device_shares, count * sizeof(double), cudaMemcpyDeviceToHost);
  for (void* memory : {(void*)device_values, (void*)partials, (void*)device_total})
    cudaFree(memory);
  cudaFree(device_shares);
  int wrong = 0;
  for (int i = 0; i < count; ++i) wrong += shares[i] != static_cast<double>(values[i]) / expected;
  std::printf("the sum of %d numbers is %lld, %d shares wrong\n", count, total, wrong);
  return total == expected && wrong == 0 ? 0 : 1;
}
