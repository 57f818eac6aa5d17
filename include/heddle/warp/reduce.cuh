// One value per lane in, one value per tile out.
//   strategy    a butterfly of xor shuffles, each lane combining with its neighbour at distance 1,
//               2, 4, …; a single instruction for 32-bit integers in a whole warp
//   needs       sm_75; that instruction sm_80
#pragma once
#include <heddle/core/features.cuh>
#include <heddle/core/lane.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/core/operators.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/warp/combine.cuh>

namespace heddle::warp {

namespace detail {

template <typename Op>
inline constexpr bool is_instruction_for_integers =
    std::is_same_v<Op, plus> || std::is_same_v<Op, minimum> || std::is_same_v<Op, maximum> ||
    std::is_same_v<Op, bit_and> || std::is_same_v<Op, bit_or> || std::is_same_v<Op, bit_xor>;

// True if the hardware reduces 32 lanes in one instruction. It takes as long as three shuffles, so
// it does not pay for smaller tiles.
template <int width, typename T, typename Op>
inline constexpr bool has_instruction =
    std::conjunction_v<std::bool_constant<has_feature<feature::warp_reduction>>,
                       std::bool_constant<is_instruction_for_integers<Op>>,
                       std::bool_constant<width == warp_size>, std::is_integral<T>,
                       std::bool_constant<sizeof(T) == 4>>;

template <typename T, typename Op>
__device__ inline T reduce_by_instruction(lane_mask members, T value) {
  const auto bits = static_cast<std::uint32_t>(value);
  if constexpr (std::is_same_v<Op, plus>) {
    return static_cast<T>(__reduce_add_sync(members, bits));
  } else if constexpr (std::is_same_v<Op, minimum>) {
    return static_cast<T>(__reduce_min_sync(members, value));
  } else if constexpr (std::is_same_v<Op, maximum>) {
    return static_cast<T>(__reduce_max_sync(members, value));
  } else if constexpr (std::is_same_v<Op, bit_and>) {
    return static_cast<T>(__reduce_and_sync(members, bits));
  } else if constexpr (std::is_same_v<Op, bit_or>) {
    return static_cast<T>(__reduce_or_sync(members, bits));
  } else {
    return static_cast<T>(__reduce_xor_sync(members, bits));
  }
}

// Reduces each tile; the result is in its first lane.
template <int width, typename T, typename Op>
__device__ inline T reduce_down(lane_mask members, T value, const Op& op) {
  // Before each step the lanes at multiples of `distance` hold the result of `distance` lanes.
#pragma unroll
  for (int distance = 1; distance < width; distance *= 2) {
    value = op(value, shuffle_down(members, value, distance, width));
  }
  return value;
}

// True if it is faster to broadcast the first lane's result at the end than to select the order of
// large operands in every lane and step: selects compete with shuffles for a pipe. From 16 lanes
// on, one more shuffle costs less.
template <int width, typename T, typename Op>
inline constexpr bool is_handed_out = !commutes<Op, T> && !is_combined_both_ways<T> && width >= 16;

}  // namespace detail

// Combines the values of each aligned tile of `width` lanes, in lane order.
//   called by   every lane of `members`, which holds whole tiles
//   result in   every lane of the tile, bit for bit the same
//   op          associative; need not commute
//   T           the type in which values are combined: to add bytes as int, pass int
//   order       a tree of neighbours, the same on every run. Sums and products of half and bfloat16
//               are accumulated in float and rounded once
//   cost        log2(width) shuffles for every four bytes, and one more in tiles of 16 and 32 lanes
//               for values over 8 bytes whose operator is not known to commute; a single
//               instruction for 32 lanes of 32-bit integers with plus, minimum, maximum, bit_and,
//               bit_or and bit_xor
template <int width = warp_size, exchangeable T, combines<T> Op = plus>
[[nodiscard]] __device__ T reduce(T value, Op op = {}, lane_mask members = all_lanes) {
  HEDDLE_EXPECTS_TILE(width, members, "warp::reduce");
  if constexpr (detail::has_instruction<width, T, Op>) {
    return detail::reduce_by_instruction<T, Op>(members, value);
  } else if constexpr (detail::is_handed_out<width, carried<T, Op>, Op>) {
    const auto of_first =
        detail::reduce_down<width>(members, static_cast<carried<T, Op>>(value), op);
    return static_cast<T>(shuffle(members, of_first, 0, width));
  } else {
    // Before each step every lane holds the result of its aligned block of `distance` lanes.
    auto result = static_cast<carried<T, Op>>(value);
#pragma unroll
    for (int distance = 1; distance < width; distance *= 2) {
      result = detail::combine_across(members, result, distance, op);
    }
    return static_cast<T>(result);
  }
}

// reduce() with the result in the first lane of each tile only; other lanes get unspecified values.
//   called by   every lane of `members`, which holds whole tiles
//   result in   the first lane of the tile
//   op          associative; need not commute
//   cost        log2(width) shuffles for every four bytes, without selecting the order of operands:
//               cheaper than reduce() for operators that do not commute
template <int width = warp_size, exchangeable T, combines<T> Op = plus>
[[nodiscard]] __device__ T reduce_to_first(T value, Op op = {}, lane_mask members = all_lanes) {
  HEDDLE_EXPECTS_TILE(width, members, "warp::reduce_to_first");
  if constexpr (detail::has_instruction<width, T, Op>) {
    return detail::reduce_by_instruction<T, Op>(members, value);
  } else {
    return static_cast<T>(
        detail::reduce_down<width>(members, static_cast<carried<T, Op>>(value), op));
  }
}

// Reduces several values at once, each as reduce() does. Their shuffles overlap, so `count` values
// take little longer than one.
//   called by   every lane of `members`, which holds whole tiles
//   result in   `values` of every lane of the tile
//   op          associative; need not commute
//   cost        count * log2(width) shuffles for every four bytes
template <int width = warp_size, exchangeable T, int count, combines<T> Op = plus>
__device__ void reduce_rows(T (&values)[count], Op op = {}, lane_mask members = all_lanes) {
  HEDDLE_EXPECTS_TILE(width, members, "warp::reduce_rows");
  carried<T, Op> results[count];
#pragma unroll
  for (int row = 0; row < count; ++row) results[row] = static_cast<carried<T, Op>>(values[row]);
#pragma unroll
  for (int distance = 1; distance < width; distance *= 2) {
#pragma unroll
    for (int row = 0; row < count; ++row) {
      results[row] = detail::combine_across(members, results[row], distance, op);
    }
  }
#pragma unroll
  for (int row = 0; row < count; ++row) values[row] = static_cast<T>(results[row]);
}

}  // namespace heddle::warp
