// Any set of lanes of a warp, as a value that every function of heddle::group accepts.
//   strategy    a mask, passed by value
//   needs       sm_75
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/mask.cuh>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace heddle::group {

namespace detail {

// True if the members are consecutive lanes: then adding the lowest bit carries through all of
// them.
[[nodiscard]] __device__ constexpr bool are_neighbours(lane_mask members) {
  const lane_mask first = members & (~members + 1);
  return (members & (members + first)) == 0;
}

// The lower half of the caller's aligned block of 2 * distance lanes if the caller is in the upper
// half, else the empty mask.
[[nodiscard]] __device__ inline lane_mask lower_half(int distance) {
  const int half = lane_id() & ~(distance - 1);
  const int block = lane_id() & ~(2 * distance - 1);
  return (lane_mask{1} << half) - (lane_mask{1} << block);
}

// The last of the `earlier` lanes, which are all below the caller. If there are none, the caller,
// which may always be read: -1 as an unsigned number is larger than any lane.
[[nodiscard]] __device__ inline int last_or_own(lane_mask earlier) {
  return static_cast<int>(
      min(static_cast<unsigned>(last_lane(earlier)), static_cast<unsigned>(lane_id())));
}

}  // namespace detail

// The lanes of one group, anywhere in the warp. Build it once, use it for any number of calls:
//   const auto some = group::lanes::of(0, 5, 31);
//   if (contains(some.mask, lane_id())) total = group::reduce(some, value);
struct lanes {
  lane_mask mask;

  // From a mask.
  __device__ explicit constexpr lanes(lane_mask members) : mask(members) {}

  // From lane numbers.
  template <std::convertible_to<int>... Lanes>
  [[nodiscard]] __device__ static constexpr lanes of(Lanes... named) {
    return lanes(((lane_mask{1} << named) | ... | lane_mask{0}));
  }

  // The lanes that call together; the caller's rank in the group, and the group's size.
  [[nodiscard]] __device__ lane_mask callers() const { return mask; }
  [[nodiscard]] __device__ int rank() const { return heddle::rank(mask); }
  [[nodiscard]] __device__ int size() const { return count(mask); }
};

// One of the groups into which a set of calling lanes is split. All these groups execute their
// collectives in the same instructions, whereas groups that call separately take turns.
struct part {
  lane_mask mask;      // the caller's group
  lane_mask together;  // all groups

  // The lanes that call together; the caller's rank in its group, and the group's size.
  [[nodiscard]] __device__ lane_mask callers() const { return together; }
  [[nodiscard]] __device__ int rank() const { return heddle::rank(mask); }
  [[nodiscard]] __device__ int size() const { return count(mask); }
};

// True for lanes and part.
template <typename Group>
inline constexpr bool is_lanes = std::is_same_v<Group, lanes> || std::is_same_v<Group, part>;

}  // namespace heddle::group
