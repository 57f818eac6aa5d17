// The first block of each cluster of two adds the other block's sum to its own.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

__managed__ int totals[4];

__global__ void __cluster_dims__(2, 1, 1) add_pairs() {
  __shared__ int sum;
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, threadIdx.x * blockIdx.x);
  cluster.sync();
  if (cluster.block_rank() == 0 && threadIdx.x == 0) {
    const int other = *cluster.map_shared_rank(&sum, 1);
    totals[blockIdx.x / 2] = sum + other;
  }
}

int main() {
  add_pairs<<<8, 32>>>();
  cudaDeviceSynchronize();
  for (const int total : totals) printf("%d\n", total);
}
