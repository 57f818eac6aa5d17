// Computes the gaps between the elements of a sorted list and asserts that none is negative.
#include <cassert>
#include <cstdio>

constexpr int n = 128;
__managed__ int list[n + 1], gaps[n];

__device__ int gap(int i) {
  const int difference = list[i + 1] - list[i];
  assert(difference >= 0);
  return difference;
}

__global__ void compute_gaps() {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  gaps[i] = gap(i);
}

int main() {
  for (int i = 0; i <= n; ++i) list[i] = 2 * i;
  list[77] += 5;
  compute_gaps<<<4, 32>>>();
  cudaDeviceSynchronize();
  printf("%d\n", gaps[n - 1]);
}
