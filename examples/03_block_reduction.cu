// Sums each block's values: shuffles within a warp, shared memory between warps.
#include <cstdio>
#include <vector>

constexpr unsigned all_lanes = 0xffffffff;
constexpr int threads = 256;
constexpr int warps = threads / 32;

// Lane 0 of the warp gets the sum of all 32 lanes.
__device__ int warp_sum(int value) {
  for (int distance = 16; distance > 0; distance /= 2) {
    value += __shfl_down_sync(all_lanes, value, distance);
  }
  return value;
}

__global__ void block_sums(const int* values, int count, int* sums) {
  __shared__ int partial[warps];
  const int i = blockIdx.x * threads + threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;

  int sum = warp_sum(i < count ? values[i] : 0);
  if (lane == 0) partial[warp] = sum;
  __syncthreads();  // `partial` holds every warp's sum now

  if (warp == 0) {
    sum = warp_sum(lane < warps ? partial[lane] : 0);
    if (lane == 0) sums[blockIdx.x] = sum;
  }
}

int main() {
  constexpr int count = 100'001;
  constexpr int blocks = (count + threads - 1) / threads;
  std::vector<int> values(count), expected(blocks), sums(blocks);
  for (int i = 0; i < count; ++i) {
    values[i] = i * 7919 % 1009 - 500;  // gives every block a different sum
    expected[i / threads] += values[i];
  }

  int *device_values, *device_sums;
  cudaMalloc(&device_values, count * sizeof(int));
  cudaMalloc(&device_sums, blocks * sizeof(int));
  cudaMemcpy(device_values, values.data(), count * sizeof(int), cudaMemcpyHostToDevice);
  block_sums<<<blocks, threads>>>(device_values, count, device_sums);
  const cudaError_t status =
      cudaMemcpy(sums.data(), device_sums, blocks * sizeof(int), cudaMemcpyDeviceToHost);
  if (status != cudaSuccess) {
    std::printf("the kernel failed: %s\n", cudaGetErrorString(status));
    return 1;
  }

  int wrong = 0;
  for (int i = 0; i < blocks; ++i) wrong += sums[i] != expected[i];
  std::printf("%d block sums, %d wrong\n", blocks, wrong);
  cudaFree(device_values);
  cudaFree(device_sums);
  return wrong == 0 ? 0 : 1;
}
