// Sums a row tile by tile; the block copies each tile together, and the last one is shorter.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include <cstdio>
#include <cuda/barrier>

namespace cg = cooperative_groups;

constexpr int threads = 32;
constexpr int items = 2 * threads + 10;
__managed__ alignas(16) int in[items];
__managed__ int total;

__global__ void sum() {
  __shared__ alignas(16) int tile[threads];
  const cg::thread_block block = cg::this_thread_block();
  for (int begin = 0; begin < items; begin += threads) {
    const unsigned count = min(threads, items - begin);
    cg::memcpy_async(block, tile, in + begin, cuda::aligned_size_t<16>(count * sizeof(int)));
    cg::wait(block);
    if (threadIdx.x < count) atomicAdd(&total, tile[threadIdx.x]);
    block.sync();
  }
}

int main() {
  for (int i = 0; i < items; ++i) in[i] = 1;
  sum<<<1, threads>>>();
  cudaDeviceSynchronize();
  printf("%d\n", total);
}
