// The largest or smallest value of a group, and its index.
//   strategy    that of reduce(), on pairs of value and index
//   needs       sm_75; reductions in one instruction sm_80
#pragma once
#include <heddle/core/operators.cuh>
#include <heddle/group/members.cuh>
#include <heddle/group/team_arg.cuh>
#include <heddle/group/tile_team.cuh>
#include <heddle/group/tree.cuh>
#include <heddle/warp/arg.cuh>

#include <concepts>

namespace heddle::group {

using warp::indexed;

namespace detail {

template <extreme wanted, typename Group, typename T, typename Index>
__device__ inline indexed<T, Index> extreme_of_group(const Group& group, T value, Index index) {
  const auto members = lanes_of(group);
  if constexpr (warp_tile<Group>) {
    return warp::detail::extreme_of_tile<wanted, tile_size<Group>>(members.mask, value, index);
  } else if constexpr (std::is_same_v<Group, part>) {
    return reduce_lanes(members, indexed<T, Index>{value, index}, better<wanted>{});
  } else {
    return warp::detail::extreme_of_tile<wanted, warp_size>(members.mask, value, index);
  }
}

template <extreme wanted, typename Group, typename T, typename Index, int threads>
__device__ inline indexed<T, Index> extreme_of_warps(const Group& group, T value, Index index,
                                                     scratch<indexed<T, Index>, threads>& scratch) {
  return extreme_of_team<wanted>(team_of(group, scratch), indexed<T, Index>{value, index}, scratch);
}

}  // namespace detail

// The contract of all functions here:
//   called by   every member
//   index       whatever the caller numbers its values by; no two members may have the same index
//   result in   every member, the same
//   order       of equal values, the one with the smallest index wins; -0 and +0 are equal, and the
//               result is the one at that index. A NaN loses against any number; if all values are
//               NaN, the result is a NaN with the smallest index
//   scratch     (groups of several warps) in shared memory, one for each group that calls; may be
//               reused immediately

// The largest, or smallest, value of the group and its index.
//   cost        tiles: as warp::arg_max(). Parts: as reduce() of value and index together. Other
//               groups: one reduction instruction for every four bytes of value and of index, and
//               about ten other instructions
template <in_one_warp Group, typename T, std::integral Index>
requires is_number<T>
[[nodiscard]] __device__ indexed<T, Index> arg_max(const Group& group, T value, Index index) {
  return detail::extreme_of_group<detail::extreme::largest>(group, value, index);
}
template <in_one_warp Group, typename T, std::integral Index>
requires is_number<T>
[[nodiscard]] __device__ indexed<T, Index> arg_min(const Group& group, T value, Index index) {
  return detail::extreme_of_group<detail::extreme::smallest>(group, value, index);
}

// The same for a block or a tile of several warps.
//   cost        that of block::arg_max() in a block of the same size, with the same kind of scratch
template <of_several_warps Group, typename T, std::integral Index, int threads>
requires is_number<T>
[[nodiscard]] __device__ indexed<T, Index> arg_max(const Group& group, T value, Index index,
                                                   scratch<indexed<T, Index>, threads>& scratch) {
  return detail::extreme_of_warps<detail::extreme::largest>(group, value, index, scratch);
}
template <of_several_warps Group, typename T, std::integral Index, int threads>
requires is_number<T>
[[nodiscard]] __device__ indexed<T, Index> arg_min(const Group& group, T value, Index index,
                                                   scratch<indexed<T, Index>, threads>& scratch) {
  return detail::extreme_of_warps<detail::extreme::smallest>(group, value, index, scratch);
}

}  // namespace heddle::group
