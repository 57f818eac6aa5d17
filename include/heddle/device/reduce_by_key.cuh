// Reduces the values of each run of equal keys, in one kernel.
//   strategy    one pass with decoupled look-back: one warp of a block looks back while the others
//               stage and write tiles
//   needs       sm_75; early start sm_90
#pragma once
#include <heddle/core/operators.cuh>
#include <heddle/device/iterators.cuh>
#include <heddle/device/select/runs.cuh>
#include <heddle/device/workspace.cuh>

#include <concepts>
#include <cstdint>

namespace heddle::device {

// Compile-time tuning; blocks are smaller on GPUs with less shared memory.
struct run_tuning {
  static constexpr int threads = 608;     // per block, besides the warp that looks back
  static constexpr int blocks = 1;        // per multiprocessor, at least
  static constexpr int lane_bytes = 128;  // of keys and values per lane and tile
};

// Whether two keys belong to the same run.
struct equal_to {
  template <typename Key>
  [[nodiscard]] __host__ __device__ constexpr bool operator()(const Key& a, const Key& b) const {
    return a == b;
  }
};

// Combines the values of neighbours with equal keys, and keeps one key per run.
//   called by     one host thread; everything runs in the workspace's stream, in one launch, and
//                 can be captured in a graph
//   keys, values  device memory, of any alignment, or iterators of iterators.cuh, `count` of each,
//                 which may be above 2^31. Keys have at most 64 bytes, values 56
//   unique_keys   device memory or an iterator: the first key of each run, in order
//   sums          likewise: the combined values of each run. None of the four may overlap
//   number        device memory for one integer, of any type that can hold the number of runs
//   op            associative; need not commute, needs no identity. Sums and products use the wider
//                 type of values and sums: bytes add up in int if the sums are int. Those of half
//                 and bfloat16 are computed in float and rounded once
//   equal         called with two neighbours, the earlier one first
//   order         a fixed tree over the elements of each tile, and over the tiles: the same bits on
//                 every run. The tree depends on positions and types, and also on the device if its
//                 blocks have less than 192 KiB of shared memory, which makes tiles smaller
//   cost          reads each key and value once and writes each result once
template <typename Tuning = run_tuning, readable Keys, readable Values, typename UniqueKeys,
          typename Sums, std::integral Number, combines<element_of<Values>> Op = plus,
          typename Equal = equal_to>
void reduce_by_key(workspace& workspace, const Keys& keys, const Values& values, std::int64_t count,
                   const UniqueKeys& unique_keys, const Sums& sums, Number* number, Op op = {},
                   Equal equal = {}, source_location where = source_location::current()) {
  const auto run = [&]<typename Place>(Place) {
    using problem =
        detail::runs_of_keys<Tuning, Place, Keys, Values, UniqueKeys, Sums, Number, Op, Equal>;
    detail::launch_runs(workspace,
                        problem{keys, values, count, unique_keys, sums, number, {op}, equal},
                        &detail::reduce_runs<problem>, where);
  };
  if (count <= detail::most_with_short_places) {
    run(std::uint32_t{});
  } else {
    run(std::int64_t{});
  }
}

}  // namespace heddle::device
