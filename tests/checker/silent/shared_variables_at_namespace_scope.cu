// Shared variables of every kind at namespace scope, used by several blocks that take turns.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;
constexpr int threads = 64, blocks = 3;
__managed__ int result[blocks];

__shared__ volatile int total;
__shared__ struct point { int x, y; } first, *where;
__shared__ struct { short low, high; } pair, pairs[2];
static __shared__ int matrix[4][threads / 4], line[threads];
namespace inner {
__shared__ alignas(16) float4 four[4], five[5];
}

template <typename T, int n>
__device__ int length(T (&)[n]) {
  return n;
}

__device__ int sum_of_line() {
  int sum = 0;
  for (const int each : line) sum += each;
  return sum;
}

__global__ void fill() {
  const int i = threadIdx.x;
  line[i] = i;
  matrix[i / 16][i % 16] = -i;
  if (i == 0) {
    total = 0;
    first = {1, 2};
    where = &first;
    pair = {3, 4};
    pairs[1] = pair;
    inner::four[3] = make_float4(1, 2, 3, 4);
    inner::five[0] = inner::four[3];
  }
  cg::this_grid().sync();
  const auto add = [](int what) { total = total + what; };
  if (i == 0) {
    add(sum_of_line() + where->y + pairs[1].high + int(inner::five[0].w));
    add(length(matrix) + int(sizeof(line) / sizeof(line[0])) + blockIdx.x);
  }
  __syncthreads();
  if (i == 1) result[blockIdx.x] = total + matrix[3][15];
}

int main() {
  cudaLaunchCooperativeKernel(fill, dim3(blocks), dim3(threads), nullptr, 0, nullptr);
  cudaDeviceSynchronize();
  printf("%d %d\n", result[0], result[blocks - 1]);
}
