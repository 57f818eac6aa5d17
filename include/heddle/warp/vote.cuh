// Votes of the lanes of a tile: one predicate per lane in, the tile's result out.
//   strategy    the hardware's vote; a tile extracts its own bits
//   needs       sm_75
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/mask.cuh>

namespace heddle::warp {

// The contract of all of them:
//   called by   every lane of `members`: any set of lanes; lanes in the same tile of `width` lanes
//               vote together, and lanes that are not members do not vote
//   result in   every caller: the result of its own tile
//   cost        one vote; two to four more instructions for tiles smaller than a warp

// The lanes of the caller's tile whose `predicate` is true, as a mask of the whole warp.
template <int width = warp_size>
[[nodiscard]] __device__ inline lane_mask ballot(bool predicate, lane_mask members = all_lanes) {
  static_assert(is_tile_width<width>, "a tile is 1, 2, 4, 8, 16 or 32 lanes wide");
  HEDDLE_EXPECTS(contains(members, lane_id()), "a vote needs its caller among its members");
  const lane_mask in_warp = __ballot_sync(members, predicate);
  if constexpr (width == warp_size) {
    return in_warp;
  } else {
    return in_warp & tile_of<width>(lane_id());
  }
}

// True if `predicate` is true in any lane of the tile.
template <int width = warp_size>
[[nodiscard]] __device__ inline bool any(bool predicate, lane_mask members = all_lanes) {
  if constexpr (width == warp_size) {
    HEDDLE_EXPECTS(contains(members, lane_id()), "a vote needs its caller among its members");
    return __any_sync(members, predicate) != 0;
  } else {
    return ballot<width>(predicate, members) != 0;
  }
}

// True if `predicate` is true in every lane of the tile.
template <int width = warp_size>
[[nodiscard]] __device__ inline bool all(bool predicate, lane_mask members = all_lanes) {
  if constexpr (width == warp_size) {
    HEDDLE_EXPECTS(contains(members, lane_id()), "a vote needs its caller among its members");
    return __all_sync(members, predicate) != 0;
  } else {
    return ballot<width>(!predicate, members) == 0;
  }
}

// True if `predicate` is the same in every lane of the tile.
template <int width = warp_size>
[[nodiscard]] __device__ inline bool uniform(bool predicate, lane_mask members = all_lanes) {
  if constexpr (width == warp_size) {
    HEDDLE_EXPECTS(contains(members, lane_id()), "a vote needs its caller among its members");
    return __uni_sync(members, predicate) != 0;
  } else {
    // No lane differs from the caller.
    const lane_mask agreeing = ballot<width>(predicate, members);
    return agreeing == (predicate ? members & tile_of<width>(lane_id()) : 0);
  }
}

// The number of lanes of the tile whose `predicate` is true.
template <int width = warp_size>
[[nodiscard]] __device__ inline int count_true(bool predicate, lane_mask members = all_lanes) {
  return count(ballot<width>(predicate, members));
}

// The number of lanes of the tile before the caller whose `predicate` is true. If the caller's own
// is true, that is its rank among them, from 0.
template <int width = warp_size>
[[nodiscard]] __device__ inline int rank_among_true(bool predicate, lane_mask members = all_lanes) {
  return rank(ballot<width>(predicate, members));
}

// The first lane of the tile whose `predicate` is true, as a lane number in the warp; -1 if there
// is none.
template <int width = warp_size>
[[nodiscard]] __device__ inline int first_true(bool predicate, lane_mask members = all_lanes) {
  return first_lane(ballot<width>(predicate, members));
}

}  // namespace heddle::warp
