// Votes of the members of a group: one predicate per member in, the group's result out.
//   strategy    the hardware's vote of the members' lanes; for several warps, a barrier that votes
//   needs       sm_75
#pragma once
#include <heddle/core/mask.cuh>
#include <heddle/group/members.cuh>

namespace heddle::group {

// The contract of all of them:
//   called by   every member
//   result in   every member
//   cost        one vote and one or two other instructions

// The members whose `predicate` is true, as a mask of the whole warp.
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

// True if `predicate` is true in any member, or in every member.
template <in_one_warp Group>
[[nodiscard]] __device__ bool any(const Group& group, bool predicate) {
  return ballot(group, predicate) != 0;
}
template <in_one_warp Group>
[[nodiscard]] __device__ bool all(const Group& group, bool predicate) {
  return ballot(group, !predicate) == 0;
}

// The number of members whose `predicate` is true: of all members, and of those with a smaller
// rank.
template <in_one_warp Group>
[[nodiscard]] __device__ int count_true(const Group& group, bool predicate) {
  return count(ballot(group, predicate));
}
template <in_one_warp Group>
[[nodiscard]] __device__ int rank_among_true(const Group& group, bool predicate) {
  return heddle::rank(ballot(group, predicate));
}

// The same for a block or a tile of several warps.
//   cost        blocks: one barrier that votes; tiles: that of their own vote
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

// The number of threads of the block whose `predicate` is true.
//   cost        one barrier that counts
[[nodiscard]] __device__ inline int count_true(const cooperative_groups::thread_block&,
                                               bool predicate) {
  return __syncthreads_count(predicate);
}

}  // namespace heddle::group
