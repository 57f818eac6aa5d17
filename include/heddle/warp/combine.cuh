// Combines a lane's value with another lane's, in lane order and without divergence.
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/operators.cuh>
#include <heddle/core/shuffle.cuh>

#include <type_traits>

namespace heddle::warp::detail {

// op(earlier, later) if `is_meant`, else `otherwise`, with the instructions of op predicated.
// Without the empty asm the compiler applies op in every lane and selects the result afterwards,
// which makes each step longer. Only float is faster without it.
template <typename T, typename Op>
__device__ inline T combine_where(bool is_meant, const T& earlier, const T& later, T otherwise,
                                  const Op& op) {
  if (is_meant) {
    if constexpr (!std::is_same_v<T, float>) asm volatile("");
    otherwise = op(earlier, later);
  }
  return otherwise;
}

// True if op is applied in both orders, the second one predicated, to combine with a value that may
// come before or after the lane's own. If both were predicated, the compiler would emit branches.
// For larger values the operands are selected instead, because op might be long.
template <typename T>
inline constexpr bool is_combined_both_ways = sizeof(T) <= 8;

// Combines a lane's value with another, which comes before or after it.
template <typename T, typename Op>
__device__ inline T combine_with(const T& other, const T& own, bool other_is_earlier,
                                 const Op& op) {
  if constexpr (commutes<Op, T>) {
    return op(own, other);
  } else if constexpr (is_combined_both_ways<T>) {
    return combine_where(other_is_earlier, other, own, op(own, other), op);
  } else {
    const T earlier = other_is_earlier ? other : own;
    const T later = other_is_earlier ? own : other;
    return op(earlier, later);
  }
}

// The same with the value of the lane whose number differs in bit `distance`.
template <typename T, typename Op>
__device__ inline T combine_across(lane_mask members, const T& value, int distance, const Op& op) {
  const T other = shuffle_xor(members, value, distance);
  if constexpr (commutes<Op, T>) {
    return op(value, other);
  } else {
    return combine_with(other, value, (lane_id() & distance) != 0, op);
  }
}

}  // namespace heddle::warp::detail
