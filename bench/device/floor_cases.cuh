// The fixed cost of every call: kernels in a graph that do nothing, or next to nothing.
#pragma once
#include <heddle/device/iterators.cuh>
#include <heddle/device/kernel/launch.cuh>
#include <heddle/device/sum.cuh>

#include <string>
#include <utility>

#include "support/device_contest.cuh"

namespace heddle_bench {

template <bool beside>
__device__ inline void start_floor_kernel() {
  if constexpr (beside) {
    heddle::device::detail::start_beside_others();
  } else {
    heddle::device::detail::start_in_stream_order();
  }
}

template <bool beside>
__global__ void do_nothing_in_graph(float*) {
  start_floor_kernel<beside>();
}
// As each fold does: the blocks of a cluster synchronise, and the first one writes.
static __global__ void meet_in_cluster(float* result) {
  using heddle::device::detail::cluster;
  cluster::arrive();
  start_floor_kernel<true>();
  cluster::wait();
  cluster::arrive();
  cluster::wait();
  if (cluster::block_rank() == 0 && threadIdx.x == 0) *result = 1;
}

// Every thread loads, one thread writes.
template <int loads, bool is_fetched_ahead>
__global__ void __launch_bounds__(1024) load_and_store_one(const float4* input, float* result) {
  if (is_fetched_ahead && threadIdx.x % 8 == 0) {
#pragma unroll
    for (int i = 0; i < loads; ++i) {
      asm volatile("prefetch.global.L2 [%0];" ::"l"(input + i * blockDim.x + threadIdx.x));
    }
  }
  start_floor_kernel<true>();
  float4 batch[loads];
#pragma unroll
  for (int i = 0; i < loads; ++i) batch[i] = input[i * blockDim.x + threadIdx.x];
  float sum = 0;
#pragma unroll
  for (int i = 0; i < loads; ++i) sum += batch[i].x + batch[i].y + batch[i].z + batch[i].w;
  if (threadIdx.x == 0 || sum == 1e30f) *result = sum;
}

class floors {
 public:
  explicit floors(device_contest& contest)
      : turns_(16'384 * sizeof(float), contest.cache_bytes()),
        values_(turns_.bytes() / sizeof(float)),
        result_(1),
        workspace_(contest.stream()) {
    values_.poison();
  }
  device_case what() const { return {0, turns_.calls(), 0}; }

  template <typename... Parameters>
  device_contender launched(std::string name, heddle::device::detail::shape shape,
                            void (*kernel)(Parameters...)) {
    return {std::move(name),
            [this, shape, kernel](int i) {
              if constexpr (sizeof...(Parameters) == 1) {
                heddle::device::detail::launch(workspace_, shape, kernel, result_.data());
              } else {
                const auto* const slice = values_.data() + turns_.offset(i) / sizeof(float);
                heddle::device::detail::launch(workspace_, shape, kernel,
                                               reinterpret_cast<const float4*>(slice),
                                               result_.data());
              }
            },
            0};
  }
  // A sum that reads nothing: only merging and handing over remain.
  device_contender sum_of_constants(std::string name, std::int64_t count) {
    return {std::move(name),
            [this, count](int) {
              heddle::device::sum(workspace_, heddle::device::constant{1.0f}, count,
                                  result_.data());
            },
            0};
  }

 private:
  rotation turns_;
  device_array<float> values_;
  device_array<float> result_;
  heddle::device::workspace workspace_;
};

inline void device_floor_cases(device_contest& contest) {
  const std::string name = "floor: an empty kernel";
  if (!contest.rows().wants(name)) return;
  floors all(contest);
  const heddle::device::detail::shape late{.blocks = 1, .threads = 32, .starts_early = false};
  const heddle::device::detail::shape warp{.blocks = 1, .threads = 32};
  const heddle::device::detail::shape block{.blocks = 1, .threads = 1024};
  const heddle::device::detail::shape cluster{.blocks = 8, .threads = 512, .cluster = 8};
  contest.run(all.what(),
              {all.launched(name, warp, &do_nothing_in_graph<false>),
               all.launched("without early start", late, &do_nothing_in_graph<false>),
               all.launched("beside others", warp, &do_nothing_in_graph<true>),
               all.launched("beside others, 1024 threads", block, &do_nothing_in_graph<true>),
               all.launched("beside others, 132 of 512", {132, 512}, &do_nothing_in_graph<true>),
               all.launched("beside others, 264 of 512", {264, 512}, &do_nothing_in_graph<true>),
               all.launched("beside others, cluster of 8", cluster, &do_nothing_in_graph<true>),
               all.launched("the same, which meets", cluster, &meet_in_cluster),
               all.launched("256 threads, 1 load", {1, 256}, &load_and_store_one<1, false>),
               all.launched("the same, fetched ahead", {1, 256}, &load_and_store_one<1, true>),
               all.launched("1024 threads, 4 loads", block, &load_and_store_one<4, false>),
               all.launched("the same, fetched ahead", block, &load_and_store_one<4, true>),
               all.sum_of_constants("sum of 256 constants: one block", 256),
               all.sum_of_constants("sum of 4096: a cluster", 4096),
               all.sum_of_constants("sum of 2^18: 128 blocks hand over", 1 << 18),
               all.sum_of_constants("sum of 2^20: all blocks hand over", 1 << 20)});
}

}  // namespace heddle_bench
