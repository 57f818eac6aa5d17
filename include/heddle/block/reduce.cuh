// One value per thread in, one value per block out.
//   strategy    two levels: each warp's result, or each thread's value, goes to shared memory; the
//               first warp combines these, and all threads read the result
//   needs       sm_75; integers in one instruction sm_80
#pragma once
#include <heddle/block/scratch.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/group/team_reduce.cuh>

namespace heddle::block {

namespace detail {

using group::detail::block_of;
using group::detail::fold_row;
using group::detail::goes_through_slots;
using group::detail::partials_of;
using group::detail::place;
using group::detail::reduce_first_lanes;
using group::detail::reduce_partials;
using group::detail::reduce_team;
using group::detail::reduce_team_to_first;
using group::detail::results_of;
using group::detail::slot_of;
using group::detail::slot_row;

// Stores each warp's results in the partials, one row per value. In blocks of one warp, `values`
// become the results instead.
template <typename T, int count, typename Op, typename Scratch>
__device__ inline void bring_rows(const place& here, T (&values)[count], const Op& op,
                                  Scratch& shared) {
  if (here.whole) {
    warp::reduce_rows(values, op);
  } else {
#pragma unroll
    for (T& value : values) {
      value = shuffle(all_lanes, reduce_first_lanes(value, here.lanes, op), 0);
    }
  }
  if (here.lane == 0 && !here.is_alone()) {
#pragma unroll
    for (int row = 0; row < count; ++row) partials_of<T>(shared, row)[here.warp] = values[row];
  }
}

// Combines one row of all threads' values. Called by a whole warp; the result is in lane 0.
template <typename T, typename Op, typename Scratch>
__device__ inline T reduce_row(const place& here, int row, const Op& op, Scratch& shared) {
  if constexpr (goes_through_slots<T, Scratch>) {
    const slot_row<T, Scratch> slots(here.lane, shared, row);
    return warp::reduce_to_first(fold_row(slots, op), op);
  } else {
    return reduce_partials(partials_of<T>(shared, row), here.warps, op);
  }
}

template <typename T, int count, typename Op, typename Scratch>
__device__ inline void reduce_carried_rows(T (&values)[count], const Op& op, Scratch& shared) {
  const auto here = block_of(shared);
  if constexpr (goes_through_slots<T, Scratch>) {
#pragma unroll
    for (int row = 0; row < count; ++row) slot_of<T>(here.rank, shared, row) = values[row];
  } else {
    bring_rows(here, values, op, shared);
    if (here.is_alone()) return;
  }
  __syncthreads();
  // The whole warps divide the rows among themselves.
  T* const results = results_of<T>(shared);
  if (agreed(here.lanes == warp_size)) {
    const int whole_warps = here.whole ? here.warps : here.warps - 1;
#pragma unroll 1
    for (int row = here.warp; row < count; row += whole_warps) {
      const T total = reduce_row<T>(here, row, op, shared);
      if (here.lane == 0) results[row] = total;
    }
  }
  __syncthreads();
#pragma unroll
  for (int row = 0; row < count; ++row) values[row] = results[row];
}

}  // namespace detail

// The contract of all functions here:
//   called by   every thread of the block, which may have any shape and, with a scratch of
//               any_size, any size
//   op          associative; need not commute: values are combined in the order of thread_rank()
//   T           the type in which values are combined: to add bytes as int, pass int
//   scratch     may be reused immediately
//   order       a fixed tree for each size of block and scratch: the same bits on every run. Sums
//               and products of half and bfloat16 are accumulated in float and rounded once

// Combines the values of all threads of the block.
//   result in   every thread, bit for bit the same
//   cost        two barriers. With a scratch for `threads` threads: a shared store, a load, and in
//               the first warp a fold of threads / 32 values per lane, then a warp::reduce. With a
//               scratch of any_size: a warp::reduce in each warp and a second one in the first
//               warp; neither shared memory nor barriers if the block is one warp
template <exchangeable T, combines<T> Op, int threads, int rows>
[[nodiscard]] __device__ T reduce(T value, Op op, scratch<T, threads, rows>& scratch) {
  const auto mine = static_cast<carried<T, Op>>(value);
  return static_cast<T>(detail::reduce_team(detail::block_of(scratch), mine, op, scratch));
}

// reduce() with the result in the first thread only; other threads get unspecified values.
//   result in   the thread of rank 0
//   cost        that of reduce() without a shared load
template <exchangeable T, combines<T> Op, int threads, int rows>
[[nodiscard]] __device__ T reduce_to_first(T value, Op op, scratch<T, threads, rows>& scratch) {
  const auto mine = static_cast<carried<T, Op>>(value);
  return static_cast<T>(detail::reduce_team_to_first(detail::block_of(scratch), mine, op, scratch));
}

// Reduces several values at once, each as reduce() does with the same kind of scratch, with no more
// barriers than for one.
//   result in   `values` of every thread, bit for bit the same
//   scratch     has a row for each value
//   cost        two barriers, between which the warps divide the rows among themselves
template <exchangeable T, int count, combines<T> Op, int threads, int rows>
__device__ void reduce_rows(T (&values)[count], Op op, scratch<T, threads, rows>& scratch) {
  static_assert(count <= rows, "reduce_rows needs a scratch with a row for each value");
  if constexpr (std::is_same_v<carried<T, Op>, T>) {
    detail::reduce_carried_rows(values, op, scratch);
  } else {
    carried<T, Op> sums[count];
#pragma unroll
    for (int row = 0; row < count; ++row) sums[row] = static_cast<carried<T, Op>>(values[row]);
    detail::reduce_carried_rows(sums, op, scratch);
#pragma unroll
    for (int row = 0; row < count; ++row) values[row] = static_cast<T>(sums[row]);
  }
}

}  // namespace heddle::block
