// Reduction and scan over any set of lanes: the basis of the collectives of heddle::group.
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

// Up to this many members anywhere in a warp, every member reads every member's value.
inline constexpr int most_folded_lanes = 4;

// Up to this many consecutive members, a scan leaves out its last steps.
inline constexpr int few_neighbours = 8;

// Kogge-Stone scan over consecutive lanes. Before each step a member holds the result of the last
// `distance` members up to and including itself, or of all from the first on if those are fewer.
// Checking before every step whether it is needed would take longer than the step itself, so there
// is only one check.
template <typename T, typename Op>
__device__ inline T scan_neighbours(lane_mask members, T value, const Op& op) {
  const lane_mask first_bit = members & (~members + 1);
  const int first = last_lane(first_bit);
  const int rank = lane_id() - first;
#pragma unroll
  for (int distance = 1; distance < warp_size; distance *= 2) {
    if (distance == few_neighbours && members >> few_neighbours < first_bit) break;
    // The first `distance` members receive their own value and keep it, which saves copying a
    // register.
    const T earlier = heddle::shuffle_up_from(first, members, value, distance);
    value = combine_where(rank >= distance, earlier, value, earlier, op);
  }
  return value;
}

// Few members: each one folds the values of the members up to itself, or of all members.
template <bool up_to_own, typename T, typename Op>
__device__ inline T fold_few(lane_mask members, const T& value, const Op& op) {
  const int own_rank = rank(members);
  T folded = heddle::shuffle(members, value, first_lane(members));
  lane_mask left = members & (members - 1);
#pragma unroll
  for (int i = 1; i < most_folded_lanes; ++i) {
    if (left == 0) break;
    const T later = heddle::shuffle(members, value, first_lane(left));
    if constexpr (up_to_own) {
      folded = combine_where(i <= own_rank, folded, later, folded, op);
    } else {
      folded = op(folded, later);
    }
    left &= left - 1;
  }
  return folded;
}

// Any members. Before each step a member holds the result of the members up to itself in its
// aligned block of `distance` lanes. Members in the upper half of a block of 2 * distance lanes
// then prepend the result of the last member in the lower half. Groups that call together take the
// same steps.
template <typename T, typename Op>
__device__ inline T scan_blocks(lane_mask members, lane_mask callers, T value, const Op& op) {
#pragma unroll
  for (int distance = 1; distance < warp_size; distance *= 2) {
    const lane_mask others = members & lower_half(distance);
    const T earlier = heddle::shuffle(callers, value, last_or_own(others));
    value = combine_where(others != 0, earlier, value, earlier, op);
  }
  return value;
}

// Inclusive scan. All members take the same path, because it depends only on their mask. A part
// does not know the masks of the others, so for parts there is only one path.
template <typename Lanes, typename T, typename Op>
__device__ inline T scan_lanes(const Lanes& members, T value, const Op& op) {
  if constexpr (std::is_same_v<Lanes, lanes>) {
    if (members.mask == all_lanes) return warp::inclusive_scan(value, op);
    if (are_neighbours(members.mask)) return scan_neighbours(members.mask, value, op);
    if (members.size() <= most_folded_lanes) return fold_few<true>(members.mask, value, op);
  }
  return scan_blocks(members.mask, members.callers(), value, op);
}

// Reduction with the result in every member: the last member's result of the scan.
template <typename Lanes, typename T, typename Op>
__device__ inline T reduce_lanes(const Lanes& members, T value, const Op& op) {
  if constexpr (std::is_same_v<Lanes, lanes>) {
    if (members.mask == all_lanes) return warp::reduce(value, op);
    if (are_neighbours(members.mask)) {
      return heddle::shuffle(members.mask, scan_neighbours(members.mask, value, op),
                             last_lane(members.mask));
    }
    if (members.size() <= most_folded_lanes) return fold_few<false>(members.mask, value, op);
  }
  return heddle::shuffle(members.callers(), scan_blocks(members.mask, members.callers(), value, op),
                         last_lane(members.mask));
}

// The value of the member before the caller; `at_first` in the first member.
template <typename Lanes, typename T>
__device__ inline T shift_lanes(const Lanes& members, const T& value, const T& at_first) {
  const lane_mask before = prefix(members.mask, lane_id());
  const T earlier = heddle::shuffle(members.callers(), value, last_or_own(before));
  return before != 0 ? earlier : at_first;
}

}  // namespace heddle::group::detail
