// Two blocks try to enter by Dekker's rule: a block that sees the other's request stays out.
#include <cassert>
#include <cstdio>

constexpr int rounds = 20;
__device__ volatile int wants[2][rounds];
__device__ int inside[rounds];
__managed__ int entered[2];

__global__ void enter_if_alone() {
  const unsigned me = blockIdx.x, other = 1 - me;
  for (int round = 0; round < rounds; ++round) {
    wants[me][round] = 1;
    if (wants[other][round] == 0) {
      assert(atomicAdd(&inside[round], 1) == 0);
      ++entered[me];
    }
  }
}

int main() {
  enter_if_alone<<<2, 1>>>();
  cudaDeviceSynchronize();
  printf("%d\n", entered[0] <= rounds && entered[1] <= rounds);
}
