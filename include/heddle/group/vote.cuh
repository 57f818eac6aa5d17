// One bit per member of a group in; what the members think together out.
//   strategy    the hardware's vote of the members' lanes; of several warps a barrier that counts
//   needs       sm_75
#pragma once
#include <heddle/core/mask.cuh>
#include <heddle/group/members.cuh>

namespace heddle::group {

// The contract of all of them:
//   called by   every member
//   result in   every member
//   cost        one vote and one or two other instructions

// The members whose `predicate` is true, each at the place of its lane in the warp.
template <in_one_warp Group>
[[nodiscard]] __device__ lane_mask ballot(const Group& group, bool predicate) {
  const auto members = lanes_of(group);
  const lane_mask voted = __ballot_sync(members.callers(), predicate);
  if constexpr (std::is_same_v<Group, part>) {
    return voted & members.mask;
  } else {
    return voted;
  }
}

// True if `predicate` is true in some member, in every member.
template <in_one_warp Group>
[[nodiscard]] __device__ bool any(const Group& group, bool predicate) {
  return ballot(group, predicate) != 0;
}
template <in_one_warp Group>
[[nodiscard]] __device__ bool all(const Group& group, bool predicate) {
  return ballot(group, !predicate) == 0;
}

// How many members have a true `predicate`: all of them, and those of smaller rank.
template <in_one_warp Group>
[[nodiscard]] __device__ int count_true(const Group& group, bool predicate) {
  return count(ballot(group, predicate));
}
template <in_one_warp Group>
[[nodiscard]] __device__ int rank_among_true(const Group& group, bool predicate) {
  return heddle::rank(ballot(group, predicate));
}

// The same for a block or a tile of several warps.
//   cost        of a block one barrier that votes; of a tile what its own vote takes
template <of_several_warps Group>
[[nodiscard]] __device__ bool any(const Group& group, bool predicate) {
  if constexpr (tile_size < Group >> 0) {
    return group.any(predicate) != 0;
  } else {
    return __syncthreads_or(predicate) != 0;
  }
}
template <of_several_warps Group>
[[nodiscard]] __device__ bool all(const Group& group, bool predicate) {
  if constexpr (tile_size < Group >> 0) {
    return group.all(predicate) != 0;
  } else {
    return __syncthreads_and(predicate) != 0;
  }
}

// How many threads of the block have a true `predicate`.
//   cost        one barrier that counts
[[nodiscard]] __device__ inline int count_true(const cooperative_groups::thread_block&,
                                               bool predicate) {
  return __syncthreads_count(predicate);
}

}  // namespace heddle::group
