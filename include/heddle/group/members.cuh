// What a collective needs to know about a cooperative group: its kind and its lanes.
//   strategy    a mask of lanes for groups within a warp; kinds are distinguished at compile time
//   needs       sm_75
#pragma once
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <heddle/core/lane.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/group/lanes.cuh>

#include <type_traits>

namespace heddle::group {

// The number of threads of a thread_block_tile; 0 for all other groups.
template <typename Group>
inline constexpr int tile_size = 0;
template <unsigned int size, typename Parent>
inline constexpr int tile_size<cooperative_groups::thread_block_tile<size, Parent>> =
    static_cast<int>(size);

// A tile of a warp: its width is known at compile time, and its lanes are consecutive.
template <typename Group>
concept warp_tile = is_tile_width<tile_size<Group>>;

// A group within a warp: such a tile, a coalesced group (labelled and binary partitions are
// coalesced groups), or our own lanes and parts.
template <typename Group>
concept in_one_warp = warp_tile<Group> || is_lanes<Group> ||
    std::is_same_v<Group, cooperative_groups::coalesced_group>;

// A group of several warps, whose collectives need scratch: the block, or a tile of 64 threads or
// more. A small block may still be only one warp.
template <typename Group>
concept of_several_warps = std::is_same_v<Group, cooperative_groups::thread_block> ||
    (tile_size<Group> > warp_size);

namespace detail {

// The lanes of a coalesced group. CUDA's class exposes them to derived classes as get_mask(). If a
// class has no such function, the members find the mask together.
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

// The lanes of a group within a warp. Get them once, use them for any number of calls:
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
