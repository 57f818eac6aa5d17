// Splits a block into four groups that are spread over all warps; each finds its largest value.
#include <heddle/group/labelled.cuh>

#include <cstdio>
#include <vector>

constexpr int threads = 300;  // the last warp has twelve lanes
constexpr int groups = 4;

using found = heddle::group::indexed<int>;

__global__ void find_largest(const int* values, const int* group_of, found* largest, int* places) {
  __shared__ heddle::group::labelled_scratch<found, groups> scratch;
  __shared__ heddle::group::labelled_scratch<int, groups> places_scratch;
  const int thread = threadIdx.x;
  const int group = group_of[thread];

  // All threads call; each gets the result of its own group.
  const found mine = heddle::group::labelled_arg_max(group, values[thread], thread, scratch);
  if (mine.index == thread) largest[group] = mine;

  // Scans work the same way: here, a thread's rank within its group.
  places[thread] = heddle::group::labelled_exclusive_scan(group, 1, heddle::plus{}, places_scratch);
}

int main() {
  std::vector<int> values(threads), group_of(threads), places(threads);
  for (int i = 0; i < threads; ++i) {
    values[i] = i * 7919 % 1009;
    group_of[i] = i * 37 % 101 % groups;
  }

  int *device_values, *device_group_of, *device_places;
  found* device_largest;
  const size_t bytes = threads * sizeof(int);
  cudaMalloc(&device_values, bytes);
  cudaMalloc(&device_group_of, bytes);
  cudaMalloc(&device_places, bytes);
  cudaMalloc(&device_largest, groups * sizeof(found));
  cudaMemcpy(device_values, values.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(device_group_of, group_of.data(), bytes, cudaMemcpyHostToDevice);
  find_largest<<<1, threads>>>(device_values, device_group_of, device_largest, device_places);
  found largest[groups];
  cudaMemcpy(places.data(), device_places, bytes, cudaMemcpyDeviceToHost);
  const cudaError_t status =
      cudaMemcpy(largest, device_largest, sizeof largest, cudaMemcpyDeviceToHost);
  cudaFree(device_values);
  cudaFree(device_group_of);
  cudaFree(device_places);
  cudaFree(device_largest);
  if (status != cudaSuccess) {
    std::printf("the kernel failed: %s\n", cudaGetErrorString(status));
    return 1;
  }

  int sizes[groups] = {}, expected[groups] = {-1, -1, -1, -1}, wrong = 0;
  for (int i = 0; i < threads; ++i) {
    const int group = group_of[i];
    wrong += places[i] != sizes[group]++;
    if (expected[group] < 0 || values[i] > values[expected[group]]) expected[group] = i;
  }
  for (int group = 0; group < groups; ++group) {
    std::printf("group %d of %d threads: largest %d in thread %d\n", group, sizes[group],
                largest[group].value, largest[group].index);
    wrong += largest[group].index != expected[group];
  }
  std::printf("%d wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}
