// Reduction and scan over any set of lanes: what the verbs of heddle::group are made of.
#pragma once
#include <heddle/core/operators.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/group/lanes.cuh>
#include <heddle/warp/reduce.cuh>
#include <heddle/warp/scan.cuh>

#include <type_traits>

namespace heddle::group::detail {

using warp::detail::carried;
using warp::detail::combine_where;

// op of the own value and another one in the order of their lanes, where there is another one.
template <typename T, typename Op>
__device__ inline T combine_in_order(bool exists, bool other_is_earlier, const T& other,
                                     const T& value, const Op& op) {
  if constexpr (commutes<Op, T>) {
    return combine_where(exists, value, other, value, op);
  } else {
    const T first = other_is_earlier ? other : value;
    const T second = other_is_earlier ? value : other;
    return combine_where(exists, first, second, value, op);
  }
}

// The result of the caller's group in every member. Before each step a member holds the result of
// the members in its aligned block of `distance` lanes, so each member of the other half of a block
// has what is missing. A whole warp goes the shorter way, which gives the same bits. Of a part the
// compiler does not know that all lanes would go it, and checks that cost more than they save.
template <typename Lanes, typename T, typename Op>
__device__ inline T reduce_lanes(const Lanes& members, T value, const Op& op) {
  if constexpr (std::is_same_v<Lanes, lanes>) {
    if (members.mask == all_lanes) return warp::reduce(value, op);
  }
  const lane_mask distances = members.distances();
#pragma unroll
  for (int distance = 1; distance < warp_size; distance *= 2) {
    if ((distances & distance) != 0) {
      const lane_mask others = other_half(members.mask, distance);
      const T other = heddle::shuffle(members.callers(), value, last_or_own(others));
      value = combine_in_order(others != 0, (lane_id() & distance) != 0, other, value, op);
    }
  }
  return value;
}

// The same in the first member only, without a choice of order in between.
template <typename Lanes, typename T, typename Op>
__device__ inline T reduce_lanes_to_first(const Lanes& members, T value, const Op& op) {
  if constexpr (commutes<Op, T>) {
    return reduce_lanes(members, value, op);
  } else {
    if constexpr (std::is_same_v<Lanes, lanes>) {
      if (members.mask == all_lanes) return warp::reduce_to_first(value, op);
    }
    const lane_mask distances = members.distances();
#pragma unroll
    for (int distance = 1; distance < warp_size; distance *= 2) {
      if ((distances & distance) != 0) {
        const lane_mask others = other_half(members.mask, distance);
        const T other = heddle::shuffle(members.callers(), value, first_or_own(others));
        const bool is_later = others != 0 && (lane_id() & distance) == 0;
        value = combine_where(is_later, value, other, value, op);
      }
    }
    return value;
  }
}

// The result of the members up to each one, itself included. Before each step a member holds that
// of its aligned block of `distance` lanes; the members in the upper half of a block then add what
// the last member in the lower half has.
template <typename Lanes, typename T, typename Op>
__device__ inline T scan_lanes(const Lanes& members, T value, const Op& op) {
  if constexpr (std::is_same_v<Lanes, lanes>) {
    if (members.mask == all_lanes) return warp::inclusive_scan(value, op);
  }
  const lane_mask distances = members.distances();
#pragma unroll
  for (int distance = 1; distance < warp_size; distance *= 2) {
    if ((distances & distance) != 0) {
      const lane_mask others = other_half(members.mask, distance);
      const T other = heddle::shuffle(members.callers(), value, last_or_own(others));
      const bool is_earlier = others != 0 && (lane_id() & distance) != 0;
      value = combine_where(is_earlier, other, value, value, op);
    }
  }
  return value;
}

// The value of the member before the caller, `at_first` in the first member.
template <typename Lanes, typename T>
__device__ inline T shift_lanes(const Lanes& members, const T& value, const T& at_first) {
  const lane_mask before = prefix(members.mask, lane_id());
  const T earlier = heddle::shuffle(members.callers(), value, last_or_own(before));
  return before != 0 ? earlier : at_first;
}

}  // namespace heddle::group::detail
