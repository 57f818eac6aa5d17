// Segmented scans and reductions in a block; a flag marks the first thread of each segment.
//   strategy    two levels of segmented warp scans, the second over the warps' results
//   needs       sm_75
#pragma once
#include <heddle/block/scratch.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/warp/segmented.cuh>

namespace heddle::block {

// The shared memory of the collectives here. Like a scratch, it needs no initialisation and may be
// reused immediately. Each of its parts is accessed in the order that a scratch prescribes.
template <exchangeable T, int threads = any_size>
struct segmented_scratch {
  // Partials: each warp's own result for the segment that it ends in. Results: the same, including
  // the warps before it.
  scratch<T, threads> ends;
  // Partials: the result of the lanes before each warp's first head. Results: the total, over the
  // whole block, of the segment that each warp ends in.
  scratch<T, threads> begins;
  // The first head of each warp, or warp_size if it has none; accessed like a partial.
  int first_heads[scratch<T, threads>::warps];
};

namespace detail {

// What a thread knows about its segment after the two barriers.
template <typename T>
struct segment_state {
  T including;     // the result of its segment up to and including itself
  T before_warp;   // the result carried over from the warps before, if the segment continues
  T total_at_end;  // the total of the segment that its warp ends in, if totals are wanted
  int last_lane;   // the last lane of its warp that is in its segment
  bool begins;     // it is the first thread of its segment
};

// Called by the first warp between the barriers: lane i computes what carries over from warp i.
template <typename T, typename Op>
__device__ inline void join_warps(const group::detail::place& here, const T* ends, const T* begins,
                                  const int* first_heads, T* carried_over, T* totals,
                                  const Op& op) {
  const int own = here.lane < here.warps ? here.lane : here.warps - 1;
  const lane_mask with_head =
      __ballot_sync(all_lanes, here.lane >= here.warps || first_heads[own] < warp_size);
  // Lane i stands for warp i; warps that end in the same segment form a segment of warps.
  const warp::segment of_warps = warp::detail::segment_among<warp_size>(with_head);
  const T up_to_warp = warp::detail::scan_segments_up<warp_size>(all_lanes, ends[own],
                                                                 here.lane - of_warps.first, op);
  if (here.lane < here.warps) carried_over[here.lane] = up_to_warp;
  if (totals != nullptr) {
    // The segment may continue into the next warp, up to that warp's first head.
    const int next = here.lane + 1;
    const bool goes_on = next < here.warps && first_heads[next] > 0;
    T total = up_to_warp;
    if (goes_on) total = op(up_to_warp, begins[next]);
    total = shuffle(all_lanes, total, of_warps.last);
    if (here.lane < here.warps) totals[here.lane] = total;
  }
}

// Scans one value per thread; computes the totals only if they are wanted.
template <bool wants_totals, typename T, typename Op, typename Scratch>
__device__ inline segment_state<T> scan_segments(const group::detail::place& here, const T& value,
                                                 bool begins_segment, const Op& op,
                                                 Scratch& shared) {
  const bool begins = begins_segment || here.is_first();
  const lane_mask heads = __ballot_sync(all_lanes, begins);
  // The lane after a partial warp's last one counts as a head, so that segments end before it.
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

// The result of the caller's segment before the caller; meaningless in the segment's first thread.
template <typename T>
__device__ inline T before_in_segment(const group::detail::place& here,
                                      const segment_state<T>& state) {
  const T before = shuffle_up(all_lanes, state.including, 1);
  return here.lane == 0 ? state.before_warp : before;
}

}  // namespace detail

// The contract of all functions here:
//   called by        every thread of the block, which may have any shape and size
//   begins_segment   true in the first thread of a segment, which extends, in the order of
//                    thread_rank(), to the thread before the next such thread or to the end of the
//                    block; the first thread of the block always begins a segment
//   op               associative; need not commute
//   T                the type in which values are combined: to add bytes as int, pass int
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

// Each thread gets the result of its segment before its own value; the first thread of a segment
// gets the identity of op.
//   cost             that of segmented_inclusive_scan() plus one shuffle for every four bytes, or
//                    one instruction for sums and exclusive ors of integers
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

// segmented_exclusive_scan() with `initial` instead of the identity, before each segment's first
// value. Only the `initial` of the segment's first thread is used.
//   cost             that of segmented_inclusive_scan() plus one shuffle for every four bytes and
//                    one use of op
template <exchangeable T, combines<T> Op, int threads>
[[nodiscard]] __device__ T segmented_exclusive_scan_from(T initial, T value, bool begins_segment,
                                                         Op op,
                                                         segmented_scratch<T, threads>& scratch) {
  using carried = warp::detail::carried<T, Op>;
  const auto here = group::detail::block_of(scratch.ends);
  const auto first = static_cast<carried>(initial);
  auto mine = static_cast<carried>(value);
  // The first thread of each segment includes its `initial`.
  if (begins_segment || here.is_first()) mine = op(first, mine);
  const auto state = detail::scan_segments<false>(here, mine, begins_segment, op, scratch);
  const carried before = detail::before_in_segment(here, state);
  return static_cast<T>(state.begins ? first : before);
}

// Combines the values of each segment.
//   result in        every thread of the segment, bit for bit the same
//   cost             that of segmented_inclusive_scan() plus one shuffle for every four bytes, and
//                    in the first warp one more and one use of op
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
