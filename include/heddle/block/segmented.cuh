// Scans and reductions of the segments of a block, which flags at their first threads mark.
//   strategy    two levels of segmented warp scans, the second over what the warps leave
//   needs       sm_75
#pragma once
#include <heddle/block/scratch.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/warp/segmented.cuh>

namespace heddle::block {

// What the functions here work in, as others do in a scratch: declared in shared memory, needs no
// preparation, may be reused immediately. Each of its parts keeps the order that a scratch keeps.
template <exchangeable T, int threads = any_size>
struct segmented_scratch {
  // Partials: what the segment that a warp ends in makes in that warp. Results: the same with what
  // the warps before it bring along.
  scratch<T, threads> ends;
  // Partials: what the lanes before a warp's first head make. Results: what the segment that a warp
  // ends in makes in the whole block.
  scratch<T, threads> begins;
  // The first head of each warp, or warp_size where it has none; a partial.
  int first_heads[scratch<T, threads>::warps];
};

namespace detail {

// What a thread knows of the segments after the block's threads have met.
template <typename T>
struct segment_state {
  T including;     // what its segment makes up to and including itself
  T before_warp;   // what the segment that the warp before ends in has made by then, if it goes on
  T total_at_end;  // what the segment that its warp ends in makes, if totals are wanted
  int last_lane;   // the last lane of its warp that is in its segment
  bool begins;     // its segment
};

// Called by the first warp between the barriers: lane i carries on what warp i ends with.
template <typename T, typename Op>
__device__ inline void join_warps(const group::detail::place& here, const T* ends, const T* begins,
                                  const int* first_heads, T* carried_over, T* totals,
                                  const Op& op) {
  const int own = here.lane < here.warps ? here.lane : here.warps - 1;
  const lane_mask with_head =
      __ballot_sync(all_lanes, here.lane >= here.warps || first_heads[own] < warp_size);
  // Now lane i stands for warp i, and what ends in it is a segment of warps.
  const warp::segment of_warps = warp::detail::segment_among<warp_size>(with_head);
  const T up_to_warp = warp::detail::scan_segments_up<warp_size>(all_lanes, ends[own],
                                                                 here.lane - of_warps.first, op);
  if (here.lane < here.warps) carried_over[here.lane] = up_to_warp;
  if (totals != nullptr) {
    // A segment of warps ends in the warp that has the next head, in the lanes before that.
    const int next = here.lane + 1;
    const bool goes_on = next < here.warps && first_heads[next] > 0;
    T total = up_to_warp;
    if (goes_on) total = op(up_to_warp, begins[next]);
    total = shuffle(all_lanes, total, of_warps.last);
    if (here.lane < here.warps) totals[here.lane] = total;
  }
}

// Scans one value of each thread; the totals are found only where they are wanted.
template <bool wants_totals, typename T, typename Op, typename Scratch>
__device__ inline segment_state<T> scan_segments(const group::detail::place& here, const T& value,
                                                 bool begins_segment, const Op& op,
                                                 Scratch& shared) {
  const bool begins = begins_segment || here.is_first();
  const lane_mask heads = __ballot_sync(all_lanes, begins);
  // The lane behind a partial warp's last one counts as a head, so that segments end before it.
  const warp::segment own =
      warp::detail::segment_among<warp_size>(heads | ~lanes_below(here.lanes));
  const T in_warp =
      warp::detail::scan_segments_up<warp_size>(all_lanes, value, here.lane - own.first, op);
  if (here.is_alone()) return {in_warp, in_warp, in_warp, own.last, begins};
  T* const ends = group::detail::partials_of<T>(shared.ends);
  T* const carried_over = group::detail::results_of<T>(shared.ends);
  T* const starts = group::detail::partials_of<T>(shared.begins);
  T* const totals = group::detail::results_of<T>(shared.begins);
  const int first_head = heads == 0 ? warp_size : first_lane(heads);
  if (here.lane == here.lanes - 1) {
    ends[here.warp] = in_warp;
    shared.first_heads[here.warp] = first_head;
  }
  if (wants_totals && here.lane == (first_head < here.lanes ? first_head : here.lanes) - 1) {
    starts[here.warp] = in_warp;
  }
  __syncthreads();
  if (agreed(here.warp == 0)) {
    join_warps(here, ends, starts, shared.first_heads, carried_over,
               wants_totals ? totals : nullptr, op);
  }
  __syncthreads();
  const T total_at_end = wants_totals ? totals[here.warp] : in_warp;
  if (here.warp == 0) return {in_warp, in_warp, total_at_end, own.last, begins};
  const T before_warp = carried_over[here.warp - 1];
  const T including =
      warp::detail::combine_where(here.lane < first_head, before_warp, in_warp, in_warp, op);
  return {including, before_warp, total_at_end, own.last, begins};
}

// What the caller's segment makes before the caller; without meaning where it begins there.
template <typename T>
__device__ inline T before_in_segment(const group::detail::place& here,
                                      const segment_state<T>& state) {
  const T before = shuffle_up(all_lanes, state.including, 1);
  return here.lane == 0 ? state.before_warp : before;
}

}  // namespace detail

// The contract of all functions here:
//   called by        every thread of the block, which may have any shape and size
//   begins_segment   a segment is this thread and those after it, in the order of thread_rank(), up
//                    to the next one that begins a segment, or up to the end of the block; the
//                    first thread always begins one
//   op               associative; need not commute
//   scratch          may be reused immediately
//   order            a fixed tree for each thread, its segment and block size. Sums and products of
//                    half and bfloat16 are accumulated in float and rounded once
//   cost             a vote, two segmented warp scans, the second in the first warp only, and two
//                    barriers; neither shared memory nor barriers if the block is one warp

// Each thread gets the result of its segment up to and including its own value.
template <exchangeable T, combines<T> Op, int threads>
[[nodiscard]] __device__ T segmented_inclusive_scan(T value, bool begins_segment, Op op,
                                                    segmented_scratch<T, threads>& scratch) {
  using carried = warp::detail::carried<T, Op>;
  const auto here = group::detail::block_of(scratch.ends);
  return static_cast<T>(
      detail::scan_segments<false>(here, static_cast<carried>(value), begins_segment, op, scratch)
          .including);
}

// Each thread gets the result of its segment before its own value, the first thread of a segment
// the identity of op.
//   cost             one shuffle for every four bytes more; for sums and exclusive ors of integers
//                    one subtraction instead of it
template <exchangeable T, combines<T> Op, int threads>
requires has_identity<Op, T>
[[nodiscard]] __device__ T segmented_exclusive_scan(T value, bool begins_segment, Op op,
                                                    segmented_scratch<T, threads>& scratch) {
  if constexpr (warp::detail::is_undone_exactly<T, Op>) {
    const T including = segmented_inclusive_scan(value, begins_segment, op, scratch);
    return warp::detail::undo<Op>(including, value);
  } else {
    using carried = warp::detail::carried<T, Op>;
    const auto here = group::detail::block_of(scratch.ends);
    const auto state = detail::scan_segments<false>(here, static_cast<carried>(value),
                                                    begins_segment, op, scratch);
    const carried before = detail::before_in_segment(here, state);
    return static_cast<T>(state.begins ? identity<Op, carried>() : before);
  }
}

// The same with `initial` before each segment's first value: that of its first thread counts.
//   cost             one shuffle for every four bytes and one use of op more than
//                    segmented_inclusive_scan()
template <exchangeable T, combines<T> Op, int threads>
[[nodiscard]] __device__ T segmented_exclusive_scan_from(T initial, T value, bool begins_segment,
                                                         Op op,
                                                         segmented_scratch<T, threads>& scratch) {
  using carried = warp::detail::carried<T, Op>;
  const auto here = group::detail::block_of(scratch.ends);
  const auto first = static_cast<carried>(initial);
  auto mine = static_cast<carried>(value);
  // The first thread of each segment brings its `initial` along.
  if (begins_segment || here.is_first()) mine = op(first, mine);
  const auto state = detail::scan_segments<false>(here, mine, begins_segment, op, scratch);
  const carried before = detail::before_in_segment(here, state);
  return static_cast<T>(state.begins ? first : before);
}

// Combines the values of each segment.
//   result in        every thread of the segment, bit for bit the same
//   cost             one shuffle for every four bytes, in the first warp two, and one use of op
//                    there more than segmented_inclusive_scan()
template <exchangeable T, combines<T> Op, int threads>
[[nodiscard]] __device__ T segmented_reduce(T value, bool begins_segment, Op op,
                                            segmented_scratch<T, threads>& scratch) {
  using carried = warp::detail::carried<T, Op>;
  const auto here = group::detail::block_of(scratch.ends);
  const auto state =
      detail::scan_segments<true>(here, static_cast<carried>(value), begins_segment, op, scratch);
  const carried at_last = shuffle(all_lanes, state.including, state.last_lane);
  const bool ends_in_warp = here.is_alone() || state.last_lane < here.lanes - 1;
  return static_cast<T>(ends_in_warp ? at_last : state.total_at_end);
}

}  // namespace heddle::block
