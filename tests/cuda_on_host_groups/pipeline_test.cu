// Pipelines of asynchronous copies: shared by all threads, split by role, or of one thread.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>
#include <cuda/pipeline>

#include "expect.hpp"

#ifdef __NVCC__  // init() constructs shared barriers
#pragma nv_diag_suppress static_var_with_dynamic_init
#endif

namespace cg = cooperative_groups;

namespace {

constexpr int threads = 64, batches = 9;

// Copies run `stages` batches ahead of the work.
template <int stages>
__global__ void prefetch(const int* from, int* out) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  __shared__ int staged[stages][threads];
  const cg::thread_block block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  for (int compute = 0, fetch = 0; compute < batches; ++compute) {
    for (; fetch < batches && fetch < compute + stages; ++fetch) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, staged[fetch % stages], from + fetch * threads,
                         cuda::aligned_size_t<4>(threads * sizeof(int)), pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    out[compute * threads + threadIdx.x] = staged[compute % stages][threads - 1 - threadIdx.x] + 1;
    pipeline.consumer_release();
  }
}

// The first warp copies and the second works; roles are given by name or by a producer count.
template <bool by_role>
__global__ void specialise(const int* from, int* out) {
  constexpr int stages = 2;
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  __shared__ int staged[stages][32];
  const cg::thread_block block = cg::this_thread_block();
  const bool produces = threadIdx.x < 32;
  const auto warp = cg::tiled_partition<32>(block);
  if constexpr (by_role) {
    auto pipeline = cuda::make_pipeline(
        block, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    for (int batch = 0; batch < batches; ++batch) {
      int* slot = staged[batch % stages];
      if (produces) {
        pipeline.producer_acquire();
        cuda::memcpy_async(warp, slot, from + batch * 32, sizeof(int) * 32, pipeline);
        pipeline.producer_commit();
      } else {
        pipeline.consumer_wait();
        out[batch * 32 + warp.thread_rank()] = slot[31 - warp.thread_rank()];
        pipeline.consumer_release();
      }
    }
  } else {
    auto pipeline = cuda::make_pipeline(block, &state, std::size_t{32});
    for (int batch = 0; batch < batches; ++batch) {
      int* slot = staged[batch % stages];
      if (produces) {
        pipeline.producer_acquire();
        cuda::memcpy_async(&slot[threadIdx.x], &from[batch * 32 + threadIdx.x], sizeof(int),
                           pipeline);
        pipeline.producer_commit();
      } else {
        pipeline.consumer_wait();
        out[batch * 32 + warp.thread_rank()] = slot[31 - warp.thread_rank()];
        pipeline.consumer_release();
      }
    }
  }
}

__global__ void fetch_alone(const int4* from, int4* out) {
  __shared__ int4 staged[2][threads];
  auto pipeline = cuda::make_pipeline();
  for (int half = 0; half < 2; ++half) {
    pipeline.producer_acquire();
    cuda::memcpy_async(&staged[half][threadIdx.x], &from[half * threads + threadIdx.x],
                       cuda::aligned_size_t<16>(sizeof(int4)), pipeline);
    pipeline.producer_commit();
  }
  cuda::pipeline_consumer_wait_prior<1>(pipeline);
  out[threadIdx.x] = staged[0][threadIdx.x];
  pipeline.consumer_wait();
  out[threads + threadIdx.x] = staged[1][threadIdx.x];
  pipeline.consumer_release();
}

__global__ void fetch_with_primitives(const int4* from, int4* out) {
  __shared__ int4 staged[threads];
  __pipeline_memcpy_async(&staged[threadIdx.x], &from[threadIdx.x], sizeof(int4),
                          threadIdx.x % 2 == 0 ? 0 : 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] = staged[threads - 1 - threadIdx.x];
}

__global__ void copy_by_group(const int* from, int* out, int count) {
  __shared__ int staged[300];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, staged, from, sizeof(int) * count);
  cg::wait(block);
  for (int i = threadIdx.x; i < count; i += blockDim.x) out[i] = staged[count - 1 - i];
  block.sync();
  const auto tile = cg::tiled_partition<16>(block);
  if (tile.meta_group_rank() == 1) {
    cg::memcpy_async(tile, staged, 5, from, 7);
    cg::wait_prior<0>(tile);
    if (tile.thread_rank() == 9) {
      for (int i = 0; i < 5; ++i) out[count + i] = staged[i];
    }
  }
}

}  // namespace

int main() {
  std::vector<int> source(batches * threads), want(batches * threads);
  for (int i = 0; i < batches * threads; ++i) source[i] = i * 3;
  for (int i = 0; i < batches * threads; ++i) {
    want[i] = source[i / threads * threads + threads - 1 - i % threads] + 1;
  }
  device_array<int> from(source);
  {
    device_array<int> out(batches * threads, -1);
    prefetch<1><<<1, threads>>>(from.get(), out.get());
    finish_kernels("prefetch<1>");
    expect_equal("a pipeline of one stage", out.read(), want);
  }
  {
    device_array<int> out(batches * threads, -1);
    prefetch<3><<<1, threads>>>(from.get(), out.get());
    finish_kernels("prefetch<3>");
    expect_equal("a pipeline of three stages", out.read(), want);
  }

  std::vector<int> reversed(batches * 32);
  for (int i = 0; i < batches * 32; ++i) reversed[i] = source[i / 32 * 32 + 31 - i % 32];
  device_array<int> by_role(batches * 32, -1), by_number(batches * 32, -1);
  specialise<true><<<1, threads>>>(from.get(), by_role.get());
  specialise<false><<<1, threads>>>(from.get(), by_number.get());
  finish_kernels("specialise");
  expect_equal("one warp fetches for another, by role", by_role.read(), reversed);
  expect_equal("one warp fetches for another, by number", by_number.read(), reversed);

  std::vector<int4> wide(2 * threads), mirrored(threads);
  for (int i = 0; i < 2 * threads; ++i) wide[i] = make_int4(i, i + 1, i + 2, i + 3);
  for (int i = 0; i < threads; ++i) {
    mirrored[i] = wide[threads - 1 - i];
    if ((threads - 1 - i) % 2 != 0) mirrored[i].w = 0;
  }
  device_array<int4> wide_from(wide), alone(2 * threads, make_int4(0, 0, 0, 0)),
      primitive(threads, make_int4(0, 0, 0, 0));
  fetch_alone<<<1, threads>>>(wide_from.get(), alone.get());
  fetch_with_primitives<<<1, threads>>>(wide_from.get(), primitive.get());
  finish_kernels("fetch_alone");
  expect_equal("a thread's own pipeline", alone.read(), wide);
  expect_equal("__pipeline_memcpy_async copies and fills with zeros", primitive.read(), mirrored);

  constexpr int count = 253;
  std::vector<int> turned(source.begin(), source.begin() + count);
  for (int i = 0; i < count; ++i) turned[i] = source[count - 1 - i];
  turned.insert(turned.end(), source.begin(), source.begin() + 5);
  device_array<int> out(count + 5, -1);
  copy_by_group<<<1, threads>>>(from.get(), out.get(), count);
  finish_kernels("copy_by_group");
  expect_equal("cooperative_groups::memcpy_async copies bytes and elements", out.read(), turned);
  return report();
}
