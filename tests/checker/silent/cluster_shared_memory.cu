// The blocks of a cluster read each other's shared memory between two cluster barriers.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;
__managed__ int result[64];

__global__ void __cluster_dims__(2, 1, 1) swap() {
  __shared__ int values[32];
  cg::cluster_group cluster = cg::this_cluster();
  values[threadIdx.x] = 100 * blockIdx.x + threadIdx.x;
  cluster.sync();
  const int* others = cluster.map_shared_rank(values, cluster.block_rank() ^ 1);
  result[blockIdx.x * 32 + threadIdx.x] = others[31 - threadIdx.x];
  cluster.sync();
}

int main() {
  swap<<<2, 32>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", result[0], result[32]);
}
