// What a collective needs to know of a cooperative group: its kind, and which lanes belong to it.
//   strategy    a mask of lanes for groups within a warp; kinds are told apart when compiled
//   needs       sm_75
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

// A group of several warps, whose collectives need scratch: the block or a tile of 64 threads or
// more. In a small block it may be one warp all the same.
template <typename Group>
concept of_several_warps = std::is_same_v<Group, cooperative_groups::thread_block> ||
    (tile_size<Group> > warp_size);

namespace detail {

// The lanes of a coalesced group: CUDA's class tells them to classes that derive from it. Of one
// that does not tell, the members find them together.
template <typename Group>
struct coalesced_access : Group {
  [[nodiscard]] __device__ static lane_mask mask_of(const Group& group) {
    if constexpr (requires { &coalesced_access::get_mask; }) {
      return (group.*(&coalesced_access::get_mask))();
    } else {
      return cooperative_groups::reduce(group, lane_mask{1} << lane_id(),
                                        cooperative_groups::bit_or<lane_mask>{});
    }
  }
};

}  // namespace detail

// The lanes of a group that lies within a warp. What is made once serves any number of calls:
//   const auto mine = group::lanes_of(cooperative_groups::coalesced_threads());
//   called by   every member of the group
//   result in   every member
//   cost        none on a GPU
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
    return lanes(detail::coalesced_access<Group>::mask_of(group));
  }
}

}  // namespace heddle::group
