// Prefix scans: one value per lane in, the combined values of the lanes up to each lane out.
//   strategy    shuffles up by 1, 2, 4, … lanes; each lane combines what it receives with its own
//               value (Hillis and Steele)
//   needs       sm_75
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/core/operators.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/warp/combine.cuh>

#include <type_traits>

namespace heddle::warp {

namespace detail {

using heddle::carried;

// True if a lane's own value can be removed exactly from its inclusive result.
template <typename T, typename Op>
inline constexpr bool is_undone_exactly = std::is_integral_v<T> && !std::is_same_v<T, bool> &&
                                          (std::is_same_v<Op, plus> || std::is_same_v<Op, bit_xor>);

template <typename Op, typename T>
__device__ inline T undo(T including, T value) {
  if constexpr (std::is_same_v<Op, plus>) {
    using word = std::make_unsigned_t<T>;  // wraps around, as the sum did
    return static_cast<T>(static_cast<word>(including) - static_cast<word>(value));
  } else {
    return static_cast<T>(including ^ value);
  }
}

// Kogge-Stone scan. Before each step a lane holds the result of the last `distance` lanes up to and
// including itself, or of all lanes from the tile's first on if those are fewer.
template <int width, typename T, typename Op>
__device__ inline T scan_up(lane_mask members, T value, const Op& op) {
  const int place = lane_id() & (width - 1);
#pragma unroll
  for (int distance = 1; distance < width; distance *= 2) {
    // The first `distance` lanes receive their own value and keep it, which saves copying a
    // register.
    const T earlier = shuffle_up(members, value, distance, width);
    value = combine_where(place >= distance, earlier, value, earlier, op);
  }
  return value;
}

// Shifts inclusive results up by one lane, which makes them exclusive; the first lane gets
// `at_first`.
template <int width, typename T>
__device__ inline T shift_up(lane_mask members, const T& including, const T& at_first) {
  const T before = shuffle_up(members, including, 1, width);
  return (lane_id() & (width - 1)) == 0 ? at_first : before;
}

template <int width, typename T, typename Op>
__device__ inline T before_from(lane_mask members, const T& value, const T& including) {
  if constexpr (is_undone_exactly<T, Op>) {
    return undo<Op>(including, value);
  } else {
    return shift_up<width>(members, including, identity<Op, T>());
  }
}

}  // namespace detail

// A lane's exclusive and inclusive results of a scan.
template <typename T>
struct scanned {
  T before;
  T including;
};

// The same with the result of the whole tile.
template <typename T>
struct scanned_with_total {
  T before;
  T including;
  T total;  // of the whole tile
};

// The contract of all scans:
//   called by   every lane of `members`, which holds whole tiles
//   result in   each lane: the combined values of its aligned tile of `width` lanes up to that
//               lane, in lane order
//   op          associative; need not commute
//   T           the type in which values are combined: to add bytes as int, pass int
//   order       a fixed tree for each lane: the same bits on every run. Sums and products of half
//               and bfloat16 are accumulated in float and rounded once

// Each lane gets the result up to and including its own value.
//   cost        log2(width) shuffles for every four bytes and as many uses of op
template <int width = warp_size, exchangeable T, combines<T> Op = plus>
[[nodiscard]] __device__ T inclusive_scan(T value, Op op = {}, lane_mask members = all_lanes) {
  HEDDLE_EXPECTS_TILE(width, members, "warp::inclusive_scan");
  using carried = detail::carried<T, Op>;
  return static_cast<T>(detail::scan_up<width>(members, static_cast<carried>(value), op));
}

// inclusive_scan() with `initial` before the tile's first value. Only the first lane's `initial` is
// used.
//   cost        that of inclusive_scan() and one use of op
template <int width = warp_size, exchangeable T, combines<T> Op = plus>
[[nodiscard]] __device__ T inclusive_scan_from(T initial, T value, Op op = {},
                                               lane_mask members = all_lanes) {
  HEDDLE_EXPECTS_TILE(width, members, "warp::inclusive_scan_from");
  using carried = detail::carried<T, Op>;
  auto first_knows_initial = static_cast<carried>(value);
  if ((lane_id() & (width - 1)) == 0) {
    first_knows_initial = op(static_cast<carried>(initial), first_knows_initial);
  }
  return static_cast<T>(detail::scan_up<width>(members, first_knows_initial, op));
}

// Each lane gets the result of the lanes before it; the first lane of a tile gets the identity of
// op.
//   cost        that of inclusive_scan() plus one shuffle for every four bytes, or one instruction
//               for sums and exclusive ors of integers
template <int width = warp_size, exchangeable T, combines<T> Op = plus>
requires has_identity<Op, T>
[[nodiscard]] __device__ T exclusive_scan(T value, Op op = {}, lane_mask members = all_lanes) {
  HEDDLE_EXPECTS_TILE(width, members, "warp::exclusive_scan");
  using carried = detail::carried<T, Op>;
  const auto mine = static_cast<carried>(value);
  const carried including = detail::scan_up<width>(members, mine, op);
  return static_cast<T>(detail::before_from<width, carried, Op>(members, mine, including));
}

// exclusive_scan() with `initial` instead of the identity, before the tile's first value. Only the
// first lane's `initial` is used.
//   cost        that of inclusive_scan() plus one shuffle for every four bytes
template <int width = warp_size, exchangeable T, combines<T> Op = plus>
[[nodiscard]] __device__ T exclusive_scan_from(T initial, T value, Op op = {},
                                               lane_mask members = all_lanes) {
  HEDDLE_EXPECTS_TILE(width, members, "warp::exclusive_scan_from");
  using carried = detail::carried<T, Op>;
  // Each lane now holds the value of the lane before it, the first lane `initial`.
  const carried earlier =
      detail::shift_up<width>(members, static_cast<carried>(value), static_cast<carried>(initial));
  return static_cast<T>(detail::scan_up<width>(members, earlier, op));
}

// Both scans at once.
//   result in   each lane: `before` is the result of exclusive_scan(), `including` that of
//               inclusive_scan()
//   cost        that of exclusive_scan()
template <int width = warp_size, exchangeable T, combines<T> Op = plus>
requires has_identity<Op, T>
[[nodiscard]] __device__ scanned<T> scan(T value, Op op = {}, lane_mask members = all_lanes) {
  HEDDLE_EXPECTS_TILE(width, members, "warp::scan");
  using carried = detail::carried<T, Op>;
  const auto mine = static_cast<carried>(value);
  const carried including = detail::scan_up<width>(members, mine, op);
  const carried before = detail::before_from<width, carried, Op>(members, mine, including);
  return {static_cast<T>(before), static_cast<T>(including)};
}

// Both scans and the result of the whole tile.
//   result in   each lane: as for scan(); `total` is the same in every lane of the tile
//   cost        that of scan() plus one shuffle for every four bytes
template <int width = warp_size, exchangeable T, combines<T> Op = plus>
requires has_identity<Op, T>
[[nodiscard]] __device__ scanned_with_total<T> scan_with_total(T value, Op op = {},
                                                               lane_mask members = all_lanes) {
  const scanned<T> own = scan<width>(value, op, members);
  return {own.before, own.including, shuffle(members, own.including, width - 1, width)};
}

// Counts the lanes of the tile whose flag is set: before this lane, up to and including it, and in
// all.
//   called by   every lane of `members`, which holds whole tiles
//   result in   each lane: its own counts
//   cost        one vote and one population count for each count that is used; no shuffle
template <int width = warp_size>
[[nodiscard]] __device__ inline scanned_with_total<int> scan_flags(bool flag,
                                                                   lane_mask members = all_lanes) {
  HEDDLE_EXPECTS_TILE(width, members, "warp::scan_flags");
  lane_mask raised = __ballot_sync(members, flag);
  if constexpr (width < warp_size) raised &= tile_of<width>(lane_id());
  const int before = rank(raised);
  return {before, before + (flag ? 1 : 0), count(raised)};
}

}  // namespace heddle::warp
