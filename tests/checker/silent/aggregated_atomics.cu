// One lane adds for all active lanes; the sum is the same however the warp has diverged.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;
__managed__ int count, places[64];

__global__ void reserve() {
  const int value = threadIdx.x * 7 % 64;
  if (value < 40) {
    const cg::coalesced_group together = cg::coalesced_threads();
    int start = 0;
    if (together.thread_rank() == 0) start = atomicAdd(&count, int(together.size()));
    places[together.shfl(start, 0) + together.thread_rank()] = 1;
  }
}

int main() {
  reserve<<<1, 64>>>();
  cudaDeviceSynchronize();
  int taken = 0;
  for (int place : places) taken += place;
  printf("%d %d\n", count, taken);
}
