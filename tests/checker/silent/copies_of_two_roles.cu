// One warp copies tiles for another through a pipeline of two stages.
#include <cooperative_groups.h>

#include <cstdio>
#include <cuda/pipeline>

#pragma nv_diag_suppress static_var_with_dynamic_init
namespace cg = cooperative_groups;

constexpr int tiles = 5;
constexpr int stages = 2;
__managed__ int in[tiles * 32], sums[32];

__global__ void sum_tiles() {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  __shared__ int stage[stages][32];
  const cg::thread_block block = cg::this_thread_block();
  const bool copies = threadIdx.x < 32;
  auto pipeline = cuda::make_pipeline(
      block, &state, copies ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  const int lane = threadIdx.x % 32;
  int sum = 0;
  for (int tile = 0; tile < tiles; ++tile) {
    if (copies) {
      pipeline.producer_acquire();
      cuda::memcpy_async(&stage[tile % stages][lane], &in[tile * 32 + lane], sizeof(int), pipeline);
      pipeline.producer_commit();
    } else {
      pipeline.consumer_wait();
      sum += stage[tile % stages][31 - lane];
      pipeline.consumer_release();
    }
  }
  if (!copies) sums[lane] = sum;
}

int main() {
  for (int i = 0; i < tiles * 32; ++i) in[i] = i;
  sum_tiles<<<1, 64>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", sums[0], sums[31]);
}
