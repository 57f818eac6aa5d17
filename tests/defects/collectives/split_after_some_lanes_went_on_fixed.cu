// Ranks the lanes of a warp that have an even value, and those that have an odd one.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;
__managed__ int ranks[32];

__global__ void rank_by_parity() {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int value = (threadIdx.x * 5) % 32;
  const bool is_even = value % 2 == 0;
  ranks[threadIdx.x] = cg::binary_partition(warp, is_even).thread_rank();
  const int largest = warp.shfl(ranks[threadIdx.x], 31);
  if (value == 0) ranks[threadIdx.x] = largest;
}

int main() {
  rank_by_parity<<<1, 32>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", ranks[0], ranks[31]);
}
