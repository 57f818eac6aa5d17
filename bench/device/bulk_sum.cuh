// A sum of floats whose input comes by bulk copies: tried beside device::sum, which uses loads.
#pragma once
#include <heddle/core/bulk_copy.cuh>
#include <heddle/device/fold.cuh>

#include <algorithm>
#include <cstdint>

namespace heddle_bench {

// A ring of stages in shared memory, which one warp has filled and all others empty.
template <int stage_count, int bytes_of_stage = 16384>
struct bulk_ring {
  static constexpr int stages = stage_count;
  static constexpr int bytes = bytes_of_stage;
  static constexpr int readers = 512;
  static constexpr int threads = readers + heddle::warp_size;
  static constexpr int loads = bytes / (readers * heddle::vector_bytes);  // of a reader
};

template <typename Ring>
__device__ inline void fill_ring(const std::byte* input, std::int64_t bytes, unsigned char* stages,
                                 heddle::shared_barrier* full, heddle::shared_barrier* empty) {
  std::uint32_t step = 0;
  for (std::int64_t at = std::int64_t{blockIdx.x} * Ring::bytes; at < bytes;
       at += std::int64_t{gridDim.x} * Ring::bytes, ++step) {
    const std::uint32_t stage = step % Ring::stages, pass = step / Ring::stages;
    if (pass > 0) empty[stage].wait((pass - 1) & 1);
    const auto size = static_cast<int>(min(std::int64_t{Ring::bytes}, bytes - at));
    full[stage].expect(size);
    heddle::bulk_load(stages + stage * Ring::bytes, input + at, size, full[stage]);
    full[stage].arrive();
  }
}

template <typename Ring>
__device__ inline float empty_ring(std::int64_t bytes, const unsigned char* stages,
                                   heddle::shared_barrier* full, heddle::shared_barrier* empty) {
  float4 sums{0, 0, 0, 0};
  std::uint32_t step = 0;
  for (std::int64_t at = std::int64_t{blockIdx.x} * Ring::bytes; at < bytes;
       at += std::int64_t{gridDim.x} * Ring::bytes, ++step) {
    const std::uint32_t stage = step % Ring::stages;
    full[stage].wait(step / Ring::stages & 1);
    const auto* const vectors = reinterpret_cast<const float4*>(stages + stage * Ring::bytes);
    const std::int64_t there = (bytes - at) / heddle::vector_bytes;
#pragma unroll
    for (int i = 0; i < Ring::loads; ++i) {
      const int own = i * Ring::readers + static_cast<int>(threadIdx.x);
      if (own >= there) continue;
      const float4 values = vectors[own];
      sums.x += values.x, sums.y += values.y, sums.z += values.z, sums.w += values.w;
    }
    __syncwarp();
    if (heddle::lane_id() == 0) empty[stage].arrive();
  }
  return (sums.x + sums.y) + (sums.z + sums.w);
}

template <typename Ring>
__global__ void __launch_bounds__(Ring::threads, 1)
    bulk_sum_kernel(const std::byte* input, std::int64_t bytes, float* result, std::byte* memory) {
  using heddle::words_of;
  extern __shared__ __align__(128) unsigned char stages[];
  __shared__ heddle::shared_barrier full[Ring::stages], empty[Ring::stages];
  __shared__ alignas(words_of<float>) unsigned char of_warps[heddle::warp_size * 4];
  auto* const slots = reinterpret_cast<words_of<float>*>(of_warps);
  const bool fills = threadIdx.x == Ring::readers;
  if (fills) {
    for (int i = 0; i < Ring::stages; ++i) {
      full[i].prepare(1);
      empty[i].prepare(Ring::readers / heddle::warp_size);
    }
    heddle::order_prepared_barriers();
    std::int64_t at = std::int64_t{blockIdx.x} * Ring::bytes;
    for (int i = 0; i < Ring::stages && at < bytes; ++i) {
      const auto size = static_cast<int>(min(std::int64_t{Ring::bytes}, bytes - at));
      asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(input + at), "r"(size));
      at += std::int64_t{gridDim.x} * Ring::bytes;
    }
  }
  __syncthreads();
  heddle::device::start_beside_others();
  float value = 0;
  if (fills) fill_ring<Ring>(input, bytes, stages, full, empty);
  if (threadIdx.x < Ring::readers) value = empty_ring<Ring>(bytes, stages, full, empty);
  __syncwarp();
  value = heddle::device::detail::merge_block(value, heddle::plus{}, slots);
  if (!heddle::device::detail::merge_grid<true>(value, heddle::plus{}, memory, slots)) return;
  if (threadIdx.x == 0) *result = value;
}

// `input` is aligned to 16, and `count` a multiple of 4.
template <typename Ring>
void bulk_sum(heddle::device::workspace& workspace, const float* input, std::int64_t count,
              float* result) {
  constexpr int shared_bytes = Ring::stages * Ring::bytes;
  const auto kernel = &bulk_sum_kernel<Ring>;
  heddle::check(
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));
  const std::int64_t bytes = count * static_cast<std::int64_t>(sizeof(float));
  const std::int64_t tiles = (bytes + Ring::bytes - 1) / Ring::bytes;
  const int blocks = static_cast<int>(std::min<std::int64_t>(tiles, workspace.multiprocessors()));
  std::byte* const memory = workspace.kept<heddle::device::detail::boards>(
      heddle::device::board<float>::bytes_for(blocks));
  heddle::device::launch(workspace,
                         {.blocks = blocks, .threads = Ring::threads, .shared_bytes = shared_bytes},
                         kernel, reinterpret_cast<const std::byte*>(input), bytes, result, memory);
}

}  // namespace heddle_bench
