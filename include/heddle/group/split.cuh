// Splits a group within a warp into parts whose collectives run together.
//   strategy    a match by label, or a vote
//   needs       sm_75
#pragma once
#include <heddle/core/words.cuh>
#include <heddle/group/members.cuh>
#include <heddle/warp/match.cuh>

namespace heddle::group {

namespace detail {

[[nodiscard]] __device__ inline part part_of(lane_mask callers, lane_mask mine) {
  return {mine, callers};
}

}  // namespace detail

// Splits a group by label: members whose labels are bit for bit the same form a part. heddle::group
// executes the collectives of all parts in the same instructions, whereas the groups of
// cooperative_groups::labeled_partition take turns.
//   called by   every member of the group, and so is every collective on the result
//   result in   each member: its part
//   cost        that of warp::match_any() and one instruction
template <in_one_warp Group, exchangeable Label>
[[nodiscard]] __device__ part split_by_label(const Group& group, const Label& label) {
  const auto members = lanes_of(group);
  const lane_mask peers = warp::match_any(label, members.callers()) & members.mask;
  return detail::part_of(members.callers(), peers);
}

// Splits a group in two: members whose `predicate` is true, and the others.
//   called by   every member of the group, and so is every collective on the result
//   result in   each member: its part
//   cost        one vote and three instructions
template <in_one_warp Group>
[[nodiscard]] __device__ part split_by_predicate(const Group& group, bool predicate) {
  return group::split_by_label(group, predicate);
}

// Splits a group into segments: a member with `begins_segment` and those after it, up to the next
// such member, form a part. A segmented scan is a scan over such parts.
//   called by   every member of the group, and so is every collective on the result
//   result in   each member: its segment; the first member always begins one
//   cost        one vote, about ten instructions
template <in_one_warp Group>
[[nodiscard]] __device__ part split_at(const Group& group, bool begins_segment) {
  const auto members = lanes_of(group);
  const lane_mask heads = __ballot_sync(members.callers(), begins_segment) & members.mask;
  const lane_mask up_to_own = lanes_below(lane_id() + 1);
  const int own_head = last_lane(heads & up_to_own);
  const int next_head = first_lane(heads & ~up_to_own);
  lane_mask segment = members.mask;
  if (own_head >= 0) segment &= ~lanes_below(own_head);
  if (next_head >= 0) segment &= lanes_below(next_head);
  return detail::part_of(members.callers(), segment);
}

// Splits a group into runs of `size` members, in rank order; the last may be shorter.
//   called by   every member of the group, and so is every collective on the result
//   size        1 or more
//   result in   each member: its part
//   cost        one match, one division, about 20 instructions
template <in_one_warp Group>
[[nodiscard]] __device__ part split_by_size(const Group& group, int size) {
  HEDDLE_EXPECTS(size > 0, "group::split_by_size makes parts of one member or more");
  return group::split_by_label(group, lanes_of(group).rank() / size);
}

}  // namespace heddle::group
