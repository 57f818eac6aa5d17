// Doubles tiles in shared memory and sends each to global memory with one bulk copy.
#include <cstdint>
#include <cstdio>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int threads = 64;
constexpr int tiles = 3;
__managed__ int in[tiles * threads];
__managed__ alignas(16) int out[tiles * threads];

__global__ void double_tiles() {
  __shared__ alignas(16) int tile[threads];
  for (int i = 0; i < tiles; ++i) {
    tile[threadIdx.x] = 2 * in[i * threads + threadIdx.x];
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
      int* const to = out + i * threads;
      ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, to, tile, sizeof tile);
      ptx::cp_async_bulk_commit_group();
    }
    __syncthreads();
  }
}

int main() {
  for (int i = 0; i < tiles * threads; ++i) in[i] = i;
  double_tiles<<<1, threads>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", out[1], out[tiles * threads - 1]);
}
