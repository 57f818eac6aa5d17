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
//   cost        none for tiles. A coalesced group does not tell its lanes: nothing for a whole
//   warp,
//               one vote for the first lanes of a warp, one warp reduction more for others
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
    const int size = static_cast<int>(group.num_threads());
    if (size == warp_size) return lanes(all_lanes);
    const bool is_in_place = static_cast<int>(group.thread_rank()) == lane_id();
    if (group.all(is_in_place)) return lanes(lanes_below(size));
    return lanes(cooperative_groups::reduce(group, lane_mask{1} << lane_id(),
                                            cooperative_groups::bit_or<lane_mask>{}));
  }
}

}  // namespace heddle::group
