// Shuffles and broadcasts within a group, with members identified by rank.
//   strategy    one shuffle, from the lane with the requested rank in the mask
//   needs       sm_75
#pragma once
#include <heddle/core/mask.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/group/members.cuh>

namespace heddle::group {

// Each member gets the value of the member whose rank it asks for.
//   called by   every member
//   source      a rank of the caller's group; may differ per member
//   result in   every member
//   cost        one shuffle for every four bytes; except in tiles about 25 more instructions,
//               unless the group and the rank are known in advance
template <in_one_warp Group, exchangeable T>
[[nodiscard]] __device__ T shuffle(const Group& group, const T& value, int source) {
  const auto members = lanes_of(group);
  HEDDLE_EXPECTS(source >= 0 && source < members.size(),
                 "group::shuffle needs the rank of a member as its source");
  if constexpr (warp_tile<Group>) {
    return heddle::shuffle(members.mask, value, source, tile_size<Group>);
  } else {
    return heddle::shuffle(members.callers(), value, lane_of_rank(members.mask, source));
  }
}

// Each member gets the value of the first one.
//   called by   every member
//   result in   every member
//   cost        one shuffle for every four bytes; except in tiles three more instructions
template <in_one_warp Group, exchangeable T>
[[nodiscard]] __device__ T broadcast(const Group& group, const T& value) {
  const auto members = lanes_of(group);
  if constexpr (warp_tile<Group>) {
    return heddle::shuffle(members.mask, value, 0, tile_size<Group>);
  } else {
    return heddle::shuffle(members.callers(), value, first_lane(members.mask));
  }
}

// Each member gets the value of the member of rank `source`.
//   called by   every member
//   source      a rank of the caller's group, the same in all its members
//   result in   every member
//   cost        as shuffle()
template <in_one_warp Group, exchangeable T>
[[nodiscard]] __device__ T broadcast(const Group& group, const T& value, int source) {
  return group::shuffle(group, value, source);
}

}  // namespace heddle::group
