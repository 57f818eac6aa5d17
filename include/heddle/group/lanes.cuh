// Any set of lanes of a warp, as a value that every verb of heddle::group accepts.
//   strategy    a mask, carried as a value
//   needs       sm_75
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/mask.cuh>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace heddle::group {

namespace detail {

// True if the members are lanes in a row: then adding the first one carries over all of them.
[[nodiscard]] __device__ constexpr bool are_neighbours(lane_mask members) {
  const lane_mask first = members & (~members + 1);
  return (members & (members + first)) == 0;
}

// The lower half of the caller's aligned block of 2 * distance lanes if the caller is in the upper
// half, else nobody.
[[nodiscard]] __device__ inline lane_mask lower_half(int distance) {
  const int half = lane_id() & ~(distance - 1);
  const int block = lane_id() & ~(2 * distance - 1);
  return (lane_mask{1} << half) - (lane_mask{1} << block);
}

// The last of `earlier` lanes, all below the caller; the caller where there are none: a lane that
// may be read. Without sign, no lane is above all others.
[[nodiscard]] __device__ inline int last_or_own(lane_mask earlier) {
  return static_cast<int>(
      min(static_cast<unsigned>(last_lane(earlier)), static_cast<unsigned>(lane_id())));
}

}  // namespace detail

// The lanes of one group, wherever in the warp they are. Made once, it serves any number of calls:
//   const auto some = group::lanes::of(0, 5, 31);
//   if (contains(some.mask, lane_id())) total = group::reduce(some, value);
struct lanes {
  lane_mask mask;

  // From a mask, or from the numbers of lanes.
  __device__ explicit constexpr lanes(lane_mask members) : mask(members) {}

  // From the numbers of lanes.
  template <std::convertible_to<int>... Lanes>
  [[nodiscard]] __device__ static constexpr lanes of(Lanes... named) {
    return lanes(((lane_mask{1} << named) | ... | lane_mask{0}));
  }

  // Who calls together.
  [[nodiscard]] __device__ lane_mask callers() const { return mask; }
  [[nodiscard]] __device__ int rank() const { return heddle::rank(mask); }
  [[nodiscard]] __device__ int size() const { return count(mask); }
};

// One of the groups that lanes which call together are split into. All groups of the warp do their
// collectives in the same instructions, where groups that call on their own take turns.
struct part {
  lane_mask mask;      // the caller's group
  lane_mask together;  // all groups

  // Who calls together; the caller's rank in its group, and the group's size.
  [[nodiscard]] __device__ lane_mask callers() const { return together; }
  [[nodiscard]] __device__ int rank() const { return heddle::rank(mask); }
  [[nodiscard]] __device__ int size() const { return count(mask); }
};

// Whether a group is one of these two.
template <typename Group>
inline constexpr bool is_lanes = std::is_same_v<Group, lanes> || std::is_same_v<Group, part>;

}  // namespace heddle::group
