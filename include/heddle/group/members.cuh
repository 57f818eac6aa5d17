// What a collective needs to know of a cooperative group: its kind, and which lanes belong to it.
#pragma once
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <heddle/core/lane.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/group/lanes.cuh>

#include <type_traits>

namespace heddle::group {

// How many threads a thread_block_tile has, 0 for all other groups.
template <typename Group>
inline constexpr int tile_size = 0;
template <unsigned int size, typename Parent>
inline constexpr int tile_size<cooperative_groups::thread_block_tile<size, Parent>> =
    static_cast<int>(size);

// A group whose width is known when compiled and whose lanes are neighbours: a tile of a warp.
template <typename Group>
concept warp_tile = is_tile_width<tile_size<Group>>;

// A group within a warp: such a tile, a coalesced group (labelled and binary partitions are
// coalesced groups), or our own lanes and parts.
template <typename Group>
concept in_one_warp = warp_tile<Group> || is_lanes<Group> ||
    std::is_same_v<Group, cooperative_groups::coalesced_group>;

// A group within a warp that does not tell its lanes.
template <typename Group>
inline constexpr bool is_coalesced = std::is_same_v<Group, cooperative_groups::coalesced_group>;

// A group of several warps, whose collectives need scratch: the block or a tile of 64 threads or
// more. In a small block it may be one warp all the same.
template <typename Group>
concept of_several_warps = std::is_same_v<Group, cooperative_groups::thread_block> ||
    (tile_size<Group> > warp_size);

// The lanes of a group that lies within a warp. What is made once serves any number of calls:
//   const auto mine = group::lanes_of(cooperative_groups::coalesced_threads());
//   called by   every member of the group
//   result in   every member
//   cost        none for tiles. A coalesced group does not tell its lanes: one warp reduction
template <in_one_warp Group>
[[nodiscard]] __device__ auto lanes_of(const Group& group) {
  if constexpr (is_lanes<Group>) {
    HEDDLE_EXPECTS(contains(group.mask, lane_id()), "the caller is no member of its group");
    return group;
  } else if constexpr (warp_tile<Group>) {
    HEDDLE_EXPECTS((tile_of<tile_size<Group>>(lane_id()) & ~lanes_with_thread()) == 0,
                   "the block ends within this tile");
    return lanes(tile_of<tile_size<Group>>(lane_id()));
  } else {
    return lanes(cooperative_groups::reduce(group, lane_mask{1} << lane_id(),
                                            cooperative_groups::bit_or<lane_mask>{}));
  }
}

namespace detail {

// A coalesced group that is no whole warp, as its reduction and scan see it.
struct coalesced_lanes {
  lane_mask mask;
  int first;      // the lane of rank 0, if all are in a row
  bool in_a_row;  // lanes `first`, first + 1, …

  [[nodiscard]] __device__ lane_mask callers() const { return mask; }
  [[nodiscard]] __device__ int size() const { return count(mask); }
};

//   called by   every member of the group
//   cost        one warp reduction and a comparison: where the first lane would have to be and what
//               mask a row has from there on follows from rank and size, which the group knows
[[nodiscard]] __device__ inline coalesced_lanes lanes_of_coalesced(
    const cooperative_groups::coalesced_group& group) {
  const int first = lane_id() - static_cast<int>(group.thread_rank());
  const lane_mask row = lanes_below(static_cast<int>(group.num_threads())) << first;
  const lane_mask mask = cooperative_groups::reduce(group, lane_mask{1} << lane_id(),
                                                    cooperative_groups::bit_or<lane_mask>{});
  return {mask, first, mask == row};
}

}  // namespace detail

// The lanes of the caller's warp that belong to a group of several warps: all but in the last warp
// of a block whose size is not a multiple of the warp's. The verbs name all lanes as callers there,
// too: lanes without a thread are not waited for, and the compiler knows that the others agree.
template <of_several_warps Group>
[[nodiscard]] __device__ part lanes_in_warp(const Group&) {
  if constexpr (tile_size < Group >> 0) {
    [[maybe_unused]] constexpr int size = tile_size<Group>;
    HEDDLE_EXPECTS((thread_rank() / size + 1) * size <= block_size(),
                   "the block ends within this tile");
    return {all_lanes, all_lanes};
  } else {
    return {lanes_with_thread(), all_lanes};
  }
}

// True if no warp of the group is partial.
template <of_several_warps Group>
[[nodiscard]] __device__ bool has_whole_warps(const Group&) {
  return tile_size<Group> > 0 || block_size() % warp_size == 0;
}

// The warp of the group that the caller is in, how many there are, and how many at most.
template <of_several_warps Group>
[[nodiscard]] __device__ int warp_rank_in(const Group& group) {
  return static_cast<int>(group.thread_rank()) / warp_size;
}
template <of_several_warps Group>
[[nodiscard]] __device__ int warps_of(const Group& group) {
  if constexpr (tile_size < Group >> 0) {
    return tile_size<Group> / warp_size;
  } else {
    return (static_cast<int>(group.num_threads()) + warp_size - 1) / warp_size;
  }
}
template <of_several_warps Group>
inline constexpr int most_warps = (tile_size<Group> > 0 ? tile_size<Group> : 1024) / warp_size;

}  // namespace heddle::group
