// A block copies tiles together, one tile ahead of the one it mirrors; one thread copies alone.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include <cstdio>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

constexpr int threads = 64;
constexpr int tiles = 4;
__managed__ int in[tiles * threads], out[tiles * threads], doubled[threads];

__global__ void mirror_tiles() {
  __shared__ int stage[2][threads];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, stage[0], in, sizeof stage[0]);
  for (int tile = 0; tile < tiles; ++tile) {
    if (tile + 1 < tiles) {
      cg::memcpy_async(block, stage[(tile + 1) % 2], in + (tile + 1) * threads, sizeof stage[0]);
      cg::wait_prior<1>(block);
    } else {
      cg::wait(block);
    }
    out[tile * threads + threadIdx.x] = stage[tile % 2][threads - 1 - threadIdx.x];
    block.sync();
  }
}

__global__ void double_own_values() {
  __shared__ int own[2][threads];
  auto pipeline = cuda::make_pipeline();
  for (int half = 0; half < 2; ++half) {
    pipeline.producer_acquire();
    cuda::memcpy_async(&own[half][threadIdx.x], &in[threadIdx.x], sizeof(int), pipeline);
    pipeline.producer_commit();
  }
  pipeline.consumer_wait();
  int sum = own[0][threadIdx.x];
  pipeline.consumer_release();
  pipeline.consumer_wait();
  sum += own[1][threadIdx.x];
  pipeline.consumer_release();
  doubled[threadIdx.x] = sum;
}

int main() {
  for (int i = 0; i < tiles * threads; ++i) in[i] = i;
  mirror_tiles<<<1, threads>>>();
  double_own_values<<<1, threads>>>();
  cudaDeviceSynchronize();
  printf("%d %d %d\n", out[0], out[tiles * threads - 1], doubled[threads - 1]);
}
