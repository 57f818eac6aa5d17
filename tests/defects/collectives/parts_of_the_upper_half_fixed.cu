// Splits the upper half of each warp by the parity of the keys and ranks the lanes of each part.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;
__managed__ int ranks[64];

__global__ void rank_keys() {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int key = threadIdx.x * 7;
  const auto halves = cg::tiled_partition<16>(warp);
  if (warp.thread_rank() >= 16) {
    const auto same = cg::binary_partition(halves, key % 2 == 0);
    ranks[threadIdx.x] = same.thread_rank();
  }
}

int main() {
  rank_keys<<<1, 64>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", ranks[16], ranks[31]);
}
