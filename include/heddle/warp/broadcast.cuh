// Gives one lane's value to all lanes of its tile.
//   strategy    one shuffle
//   needs       sm_75
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/core/shuffle.cuh>

namespace heddle::warp {

// Gives every lane of each aligned tile of `width` lanes the value of its lane `source`.
//   called by   every lane of `members`, among them the source of the caller's tile
//   source      counted from the start of the tile, modulo `width`, so a lane number in the warp
//               works as well; usually the same in all lanes of a tile, else each gets the value it
//               asks for
//   result in   every caller
//   cost        one shuffle for every four bytes
template <int width = warp_size, exchangeable T>
[[nodiscard]] __device__ T broadcast(T value, int source, lane_mask members = all_lanes) {
  static_assert(is_tile_width<width>, "a tile is 1, 2, 4, 8, 16 or 32 lanes wide");
  HEDDLE_EXPECTS(contains(members, (lane_id() & ~(width - 1)) | (source & (width - 1))),
                 "warp::broadcast needs its source among its members");
  HEDDLE_EXPECTS(heddle::detail::all_call(members & tile_of<width>(lane_id()), members),
                 "warp::broadcast needs all its members to call, but one has exited or has no "
                 "thread");
  return shuffle(members, value, source, width);
}

// Gives every member the value of the first member of its tile, whichever lane that is.
//   called by   every lane of `members`: any set of lanes
//   result in   every caller
//   cost        one shuffle for every four bytes; four more instructions unless `members` is known
//               at compile time
template <int width = warp_size, exchangeable T>
[[nodiscard]] __device__ T broadcast_first(T value, lane_mask members = all_lanes) {
  static_assert(is_tile_width<width>, "a tile is 1, 2, 4, 8, 16 or 32 lanes wide");
  HEDDLE_EXPECTS(contains(members, lane_id()),
                 "warp::broadcast_first needs its caller among its members");
  HEDDLE_EXPECTS(heddle::detail::all_call(members & tile_of<width>(lane_id()), members),
                 "warp::broadcast_first needs all its members to call, but one has exited or has "
                 "no thread");
  if constexpr (width == warp_size) {
    return shuffle(members, value, first_lane(members));
  } else {
    return shuffle(members, value, first_lane(members & tile_of<width>(lane_id())));
  }
}

}  // namespace heddle::warp
