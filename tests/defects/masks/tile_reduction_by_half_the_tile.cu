// Sums the positive numbers of a warp with cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cstdio>

namespace cg = cooperative_groups;
__managed__ int total;

__global__ void sum_positive() {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int number = int(warp.thread_rank()) - 10;
  int sum = 0;
  if (number > 0) sum = cg::reduce(warp, number, cg::plus<int>());
  sum = warp.shfl(sum, 31);
  if (warp.thread_rank() == 0) total = sum;
}

int main() {
  sum_positive<<<1, 32>>>();
  cudaDeviceSynchronize();
  printf("%d\n", total);
}
