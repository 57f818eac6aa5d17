// Any set of lanes of a warp, as a value that every verb of heddle::group accepts.
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/mask.cuh>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace heddle::group {

namespace detail {

// Collectives over any set of lanes climb the tree of aligned blocks: at `distance` the two halves
// of each block of 2 * distance lanes meet. The result has a bit for every distance (1, 2, 4, 8 and
// 16) at which a block has members in both halves. Two lanes, wherever they are, meet once; the
// first thirteen lanes of a warp four times.
[[nodiscard]] __device__ inline lane_mask meeting_distances(lane_mask members) {
  lane_mask distances = 0;
  // Bit i is set if the block of `distance` lanes that starts at lane i has members.
  lane_mask filled = members;
#pragma unroll
  for (int distance = 1; distance < warp_size; distance *= 2) {
    const lane_mask starts = all_lanes / lanes_below(2 * distance);
    const bool some_meet = (filled & filled >> distance & starts) != 0;
    distances |= some_meet ? static_cast<lane_mask>(distance) : 0;
    filled = (filled | filled >> distance) & starts;
  }
  return distances;
}

// The members in the other half of the caller's block of 2 * distance lanes.
[[nodiscard]] __device__ inline lane_mask other_half(lane_mask members, int distance) {
  const int start = (lane_id() & ~(distance - 1)) ^ distance;
  return members & lanes_below(distance) << start;
}

// The last and the first of `others`, the caller where there are none: a lane that may be read.
// Both sides of the choice are made everywhere: a branch would cost more, and part the lanes.
[[nodiscard]] __device__ inline int last_or_own(lane_mask others) {
  const int last = last_lane(others);
  return others != 0 ? last : lane_id();
}
[[nodiscard]] __device__ inline int first_or_own(lane_mask others) {
  const int first = first_lane(others);
  return others != 0 ? first : lane_id();
}

}  // namespace detail

// The lanes of one group, wherever in the warp they are. Made once, it serves any number of calls:
//   const auto some = group::lanes::of(0, 5, 31);
//   if (contains(some.mask, lane_id())) total = group::reduce(some, value);
struct lanes {
  lane_mask mask;

  __device__ explicit constexpr lanes(lane_mask members) : mask(members) {}

  template <std::convertible_to<int>... Lanes>
  [[nodiscard]] __device__ static constexpr lanes of(Lanes... named) {
    return lanes(((lane_mask{1} << named) | ... | lane_mask{0}));
  }

  // Who calls together.
  [[nodiscard]] __device__ lane_mask callers() const { return mask; }
  [[nodiscard]] __device__ lane_mask distances() const { return detail::meeting_distances(mask); }
  [[nodiscard]] __device__ int rank() const { return heddle::rank(mask); }
  [[nodiscard]] __device__ int size() const { return count(mask); }
};

// One of the groups that lanes which call together are split into. All groups of the warp do their
// collectives in the same instructions, where groups that call on their own take turns.
struct part {
  lane_mask mask;               // the caller's group
  lane_mask together;           // all groups
  lane_mask meeting_distances;  // of any of the groups

  [[nodiscard]] __device__ lane_mask callers() const { return together; }
  [[nodiscard]] __device__ lane_mask distances() const { return meeting_distances; }
  [[nodiscard]] __device__ int rank() const { return heddle::rank(mask); }
  [[nodiscard]] __device__ int size() const { return count(mask); }
};

template <typename Group>
inline constexpr bool is_lanes = std::is_same_v<Group, lanes> || std::is_same_v<Group, part>;

}  // namespace heddle::group
