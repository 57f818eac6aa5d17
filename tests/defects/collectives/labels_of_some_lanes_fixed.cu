// Groups lanes by their keys; each lane with a key stores the size of its group.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;
__managed__ int sizes[32];

__global__ void count_keys() {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int key = int(warp.thread_rank() % 6) - 1;
  const auto same_key = cg::labeled_partition(warp, key);
  if (key >= 0) {
    sizes[threadIdx.x] = same_key.size();
  }
  warp.sync();
  if (key < 0) sizes[threadIdx.x] = sizes[(threadIdx.x + 1) % 32];
}

int main() {
  count_keys<<<1, 32>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", sizes[1], sizes[5]);
}
