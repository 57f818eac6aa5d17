// The two blocks of a cluster send each other a sum; each adds what it receives to its own.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;
__managed__ int totals[16];

__global__ void __cluster_dims__(2, 1, 1) add_neighbours() {
  __shared__ int inbox;
  cg::cluster_group cluster = cg::this_cluster();
  const int sum = __reduce_add_sync(0xffffffff, static_cast<int>(blockIdx.x * 100 + threadIdx.x));
  if (threadIdx.x == 0) inbox = 0;
  cluster.sync();
  if (threadIdx.x == 0) *cluster.map_shared_rank(&inbox, cluster.block_rank() ^ 1) = sum;
  __syncthreads();
  if (threadIdx.x == 0) totals[blockIdx.x] = sum + inbox;
  cluster.sync();
}

int main() {
  add_neighbours<<<16, 32>>>();
  cudaDeviceSynchronize();
  for (const int total : totals) printf("%d\n", total);
}
