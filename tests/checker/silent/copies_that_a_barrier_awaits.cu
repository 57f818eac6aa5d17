// Bulk copies load tiles into two stages and store the results; all threads also copy one tile.
#include <cooperative_groups.h>

#include <cstdint>
#include <cstdio>
#include <cuda/barrier>
#include <cuda/ptx>

#pragma nv_diag_suppress static_var_with_dynamic_init
namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

constexpr int threads = 64;
constexpr int tiles = 4;
__managed__ alignas(16) int in[tiles * threads], out[tiles * threads], mirrored[threads];

__global__ void add_one() {
  __shared__ alignas(16) int stage[2][threads], done[2][threads];
  __shared__ std::uint64_t arrived[2];
  // A local variable, because its address is taken: a host constant has none on the device.
  const std::uint32_t bytes = threads * sizeof(int);
  const auto fetch = [&](int tile) {
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                   &arrived[tile % 2], bytes);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, stage[tile % 2], in + tile * threads,
                       bytes, &arrived[tile % 2]);
  };
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&arrived[0], 1);
    ptx::mbarrier_init(&arrived[1], 1);
  }
  __syncthreads();
  if (threadIdx.x == 0) fetch(0);
  for (int tile = 0; tile < tiles; ++tile) {
    if (threadIdx.x == 0 && tile + 1 < tiles) fetch(tile + 1);
    while (!ptx::mbarrier_try_wait_parity(&arrived[tile % 2], tile / 2 % 2)) {
    }
    if (threadIdx.x == 0) ptx::cp_async_bulk_wait_group_read(ptx::n32_t<1>());
    __syncthreads();
    done[tile % 2][threadIdx.x] = stage[tile % 2][threadIdx.x] + 1;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
      ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + tile * threads, done[tile % 2],
                         bytes);
      ptx::cp_async_bulk_commit_group();
    }
  }
}

__global__ void mirror() {
  __shared__ block_barrier ready;
  __shared__ alignas(16) int tile[threads];
  const cg::thread_block block = cg::this_thread_block();
  if (threadIdx.x == 0) init(&ready, threads);
  block.sync();
  cuda::memcpy_async(block, tile, in, cuda::aligned_size_t<16>(sizeof tile), ready);
  ready.arrive_and_wait();
  mirrored[threadIdx.x] = tile[threads - 1 - threadIdx.x];
}

int main() {
  for (int i = 0; i < tiles * threads; ++i) in[i] = i;
  add_one<<<1, threads>>>();
  mirror<<<1, threads>>>();
  cudaDeviceSynchronize();
  printf("%d %d %d\n", out[0], out[tiles * threads - 1], mirrored[0]);
}
