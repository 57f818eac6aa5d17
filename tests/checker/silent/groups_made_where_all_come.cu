// Groups are created in loops, in branches that whole blocks take, and after some threads have
// returned.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;
constexpr int most = 200;
__managed__ int steps, sums[most];

__global__ void fold(int n) {
  const cg::thread_block block = cg::this_thread_block();
  if (blockIdx.x % 2 == 0) {  // whole blocks
    for (int round = 0; round < 3; ++round) {
      const auto warp = cg::tiled_partition<32>(block);
      const auto odd = cg::binary_partition(warp, threadIdx.x % 2 == 1);
      if (odd.thread_rank() == 0) atomicAdd(&steps, 1);
    }
  }
  const auto tile = cg::tiled_partition<8>(block);
  if (tile.meta_group_rank() == 0) {  // whole tiles
    const auto same = cg::labeled_partition(tile, threadIdx.x / 3);
    if (same.thread_rank() == 0) atomicAdd(&steps, 1);
  }
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const auto active = cg::coalesced_threads();
  const auto four = cg::tiled_partition(active, 4);
  if (four.size() > 0) sums[i] = i;
}

int main() {
  fold<<<3, 64>>>(150);
  cudaDeviceSynchronize();
  printf("%d %d\n", steps, sums[149]);
}
