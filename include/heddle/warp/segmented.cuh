// Segmented scans and reductions in a tile; a flag marks the first lane of each segment.
//   strategy    a vote gives each lane the bounds of its segment; a scan by shuffles then stops
//               there
//   needs       sm_75
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/core/operators.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/warp/scan.cuh>

namespace heddle::warp {

// The lanes first … last of a warp.
struct segment {
  int first;
  int last;
};

namespace detail {

// The first lanes of all tiles.
template <int width>
inline constexpr lane_mask tile_firsts = all_lanes / (all_lanes >> (warp_size - width));

// The caller's segment, from one vote on the flags of all lanes. The steps of a scan then only
// compare their distance with that to the segment's head.
template <int width>
__device__ inline segment segment_among(lane_mask heads) {
  heads |= tile_firsts<width>;
  lane_mask up_to_own;
  asm("mov.u32 %0, %%lanemask_le;" : "=r"(up_to_own));
  // Trailing zeros of the heads after the caller: 32 if there is none.
  return {last_lane(heads & up_to_own), __clz(static_cast<int>(__brev(heads & ~up_to_own))) - 1};
}

// Before each step a lane holds the result of the last `distance` lanes up to and including itself,
// or of all lanes from its segment's head on if those are fewer.
template <int width, typename T, typename Op>
__device__ inline T scan_segments_up(lane_mask members, T value, int lanes_since_head,
                                     const Op& op) {
#pragma unroll
  for (int distance = 1; distance < width; distance *= 2) {
    const T earlier = shuffle_up(members, value, distance, width);
    value = combine_where(lanes_since_head >= distance, earlier, value, value, op);
  }
  return value;
}

// The head flags as seen from a lane: its own is the highest bit, that of the lane before it the
// next one down, and so on. Zeros above a bit are lanes that are not heads, so one comparison shows
// whether there is a head within a distance, without searching for it.
template <int width>
__device__ inline lane_mask heads_up_to_own(lane_mask heads) {
  return (heads | tile_firsts<width>) << (warp_size - 1 - lane_id());
}
// True if none of the last `distance` lanes up to and including the caller is a head.
__device__ inline bool is_headless(lane_mask up_to_own, int distance) {
  return up_to_own < lane_mask{1} << (warp_size - distance);
}

// The flags from the caller's own on: its own is the lowest bit, the next lane's is the next one
// up, and so on. Lane 32 counts as a head, as do the first lanes of tiles.
template <int width>
__device__ inline lane_mask heads_from_own(lane_mask heads) {
  constexpr lane_mask later_tiles = tile_firsts<width> & ~lane_mask{1};
  return __funnelshift_r(heads | later_tiles, 1, lane_id());
}
// True if none of the `distance` lanes after the caller is a head.
__device__ inline bool is_followed(lane_mask from_own, int distance) {
  return (from_own & lanes_below(distance) << 1) == 0;
}

// scan_segments_up() on the flags from heads_up_to_own().
template <int width, typename T, typename Op>
__device__ inline T scan_segments(lane_mask members, T value, lane_mask up_to_own, const Op& op) {
#pragma unroll
  for (int distance = 1; distance < width; distance *= 2) {
    const T earlier = shuffle_up(members, value, distance, width);
    value = combine_where(is_headless(up_to_own, distance), earlier, value, value, op);
  }
  return value;
}

template <int width>
__device__ inline lane_mask vote_for_heads(bool begins_segment, lane_mask members) {
  HEDDLE_EXPECTS_TILE(width, members, "a segmented collective of a warp");
  return __ballot_sync(members, begins_segment);
}

}  // namespace detail

// The contract of all functions here:
//   called by        every lane of `members`, which holds whole tiles of `width` lanes
//   begins_segment   true in the first lane of a segment, which extends to the lane before the next
//                    such lane or to the end of the tile; a tile's first lane always begins a
//                    segment
//   op               associative; need not commute; values are combined in lane order
//   T                the type in which values are combined: to add bytes as int, pass int
//   order            a fixed tree for each lane; sums and products of half and bfloat16 are
//                    accumulated in float and rounded once

// The lanes of the caller's segment.
//   result in   each lane: lane numbers in the warp
//   cost        one vote, and about three instructions for each of the two numbers that is used
template <int width = warp_size>
[[nodiscard]] __device__ inline segment segment_of(bool begins_segment,
                                                   lane_mask members = all_lanes) {
  return detail::segment_among<width>(detail::vote_for_heads<width>(begins_segment, members));
}

// Each lane gets the result of its segment up to and including its own value.
//   cost        one vote, log2(width) shuffles for every four bytes and as many uses of op
template <int width = warp_size, exchangeable T, combines<T> Op = plus>
[[nodiscard]] __device__ T segmented_inclusive_scan(T value, bool begins_segment, Op op = {},
                                                    lane_mask members = all_lanes) {
  using carried = detail::carried<T, Op>;
  const lane_mask heads =
      detail::heads_up_to_own<width>(detail::vote_for_heads<width>(begins_segment, members));
  return static_cast<T>(
      detail::scan_segments<width>(members, static_cast<carried>(value), heads, op));
}

// Each lane gets the result of its segment before its own value; the head gets the identity of op.
//   cost        that of segmented_inclusive_scan() plus one shuffle for every four bytes, or one
//               instruction for sums and exclusive ors of integers
template <int width = warp_size, exchangeable T, combines<T> Op = plus>
requires has_identity<Op, T>
[[nodiscard]] __device__ T segmented_exclusive_scan(T value, bool begins_segment, Op op = {},
                                                    lane_mask members = all_lanes) {
  using carried = detail::carried<T, Op>;
  const lane_mask heads =
      detail::heads_up_to_own<width>(detail::vote_for_heads<width>(begins_segment, members));
  const auto mine = static_cast<carried>(value);
  const carried including = detail::scan_segments<width>(members, mine, heads, op);
  if constexpr (detail::is_undone_exactly<T, Op>) {
    return detail::undo<Op>(including, mine);
  } else {
    const carried before = shuffle_up(members, including, 1, width);
    return static_cast<T>(detail::is_headless(heads, 1) ? before : identity<Op, carried>());
  }
}

// segmented_exclusive_scan() with `initial` instead of the identity, before each segment's first
// value. Only the head's `initial` is used.
//   cost        that of segmented_inclusive_scan() plus one shuffle for every four bytes
template <int width = warp_size, exchangeable T, combines<T> Op = plus>
[[nodiscard]] __device__ T segmented_exclusive_scan_from(T initial, T value, bool begins_segment,
                                                         Op op = {},
                                                         lane_mask members = all_lanes) {
  using carried = detail::carried<T, Op>;
  const lane_mask heads =
      detail::heads_up_to_own<width>(detail::vote_for_heads<width>(begins_segment, members));
  // Each lane now holds the value of the lane before it, a head its `initial`.
  auto earlier = static_cast<carried>(shuffle_up(members, value, 1, width));
  if (!detail::is_headless(heads, 1)) earlier = static_cast<carried>(initial);
  return static_cast<T>(detail::scan_segments<width>(members, earlier, heads, op));
}

// Combines the values of each segment; the result is in its head.
//   result in   the first lane of each segment; other lanes get the result from their own value on
//   cost        that of segmented_inclusive_scan()
template <int width = warp_size, exchangeable T, combines<T> Op = plus>
[[nodiscard]] __device__ T segmented_reduce_to_first(T value, bool begins_segment, Op op = {},
                                                     lane_mask members = all_lanes) {
  using carried = detail::carried<T, Op>;
  const lane_mask heads =
      detail::heads_from_own<width>(detail::vote_for_heads<width>(begins_segment, members));
  auto following = static_cast<carried>(value);
  // Before each step a lane holds the result of the `distance` lanes from itself on, or of all
  // lanes up to its segment's last if those are fewer.
#pragma unroll
  for (int distance = 1; distance < width; distance *= 2) {
    const carried later = shuffle_down(members, following, distance, width);
    following = detail::combine_where(detail::is_followed(heads, distance), following, later,
                                      following, op);
  }
  return static_cast<T>(following);
}

// Combines the values of each segment; the result is in all of its lanes.
//   result in   every lane of the segment, bit for bit the same
//   cost        that of segmented_inclusive_scan() plus one shuffle for every four bytes
template <int width = warp_size, exchangeable T, combines<T> Op = plus>
[[nodiscard]] __device__ T segmented_reduce(T value, bool begins_segment, Op op = {},
                                            lane_mask members = all_lanes) {
  using carried = detail::carried<T, Op>;
  const lane_mask heads = detail::vote_for_heads<width>(begins_segment, members);
  const carried including = detail::scan_segments<width>(members, static_cast<carried>(value),
                                                         detail::heads_up_to_own<width>(heads), op);
  const int last = detail::segment_among<width>(heads).last;
  return static_cast<T>(shuffle(members, including, last));
}

}  // namespace heddle::warp
