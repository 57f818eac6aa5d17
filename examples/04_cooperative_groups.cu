// Cooperative groups of three kinds: tiles of eight lanes, the lanes that took a branch, the grid.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

constexpr int blocks = 2, threads = 64, count = blocks * threads;

// Replaces every value by the maximum of its tile of eight and counts the even results. After a
// barrier of the whole grid, each thread reads what a thread of another block has written.
__global__ void groups(const int* values, int* largest, int* even, int* mirrored) {
  const cg::grid_group grid = cg::this_grid();
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const int i = static_cast<int>(grid.thread_rank());

  int value = values[i];
  for (int distance = tile.size() / 2; distance > 0; distance /= 2) {
    const int other = tile.shfl_xor(value, distance);
    value = other > value ? other : value;
  }
  largest[i] = value;

  if (value % 2 == 0) {
    const cg::coalesced_group together = cg::coalesced_threads();
    // One atomic for all lanes that took this branch together.
    if (together.thread_rank() == 0) atomicAdd(even, static_cast<int>(together.size()));
  }

  grid.sync();  // every `largest` is written now
  mirrored[i] = largest[count - 1 - i];
}

int main() {
  int *values, *largest, *even, *mirrored;
  cudaMallocManaged(&values, count * sizeof(int));
  cudaMallocManaged(&largest, count * sizeof(int));
  cudaMallocManaged(&even, sizeof(int));
  cudaMallocManaged(&mirrored, count * sizeof(int));
  for (int i = 0; i < count; ++i) values[i] = i * 37 % 101;
  *even = 0;

  void* arguments[] = {&values, &largest, &even, &mirrored};
  cudaError_t status = cudaLaunchCooperativeKernel((void*)groups, blocks, threads, arguments);
  if (status == cudaSuccess) status = cudaDeviceSynchronize();
  if (status != cudaSuccess) {
    std::printf("the kernel failed: %s\n", cudaGetErrorString(status));
    return 1;
  }

  int expected[count], expected_even = 0, wrong = 0;
  for (int i = 0; i < count; ++i) {
    expected[i] = 0;
    for (int j = i / 8 * 8; j < i / 8 * 8 + 8; ++j) {
      if (values[j] > expected[i]) expected[i] = values[j];
    }
    expected_even += expected[i] % 2 == 0;
  }
  for (int i = 0; i < count; ++i) wrong += mirrored[i] != expected[count - 1 - i];
  std::printf("%d even of %d expected, %d wrong\n", *even, expected_even, wrong);
  return wrong == 0 && *even == expected_even ? 0 : 1;
}
