// Each block of a cluster of two adds the other's sum, through distributed shared memory.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;
__managed__ int totals[2];

__global__ void __cluster_dims__(2, 1, 1) add_blocks() {
  __shared__ int sum;
  cg::cluster_group cluster = cg::this_cluster();
  const int value = blockIdx.x * 100 + threadIdx.x;
  const int warp_sum = __reduce_add_sync(0xffffffff, value);
  if (threadIdx.x == 0) sum = warp_sum;
  cluster.sync();
  if (threadIdx.x == 0) {
    const int other = *cluster.map_shared_rank(&sum, cluster.block_rank() ^ 1);
    totals[blockIdx.x] = warp_sum + other;
  }
  cluster.sync();
}

int main() {
  add_blocks<<<2, 32>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", totals[0], totals[1]);
}
