// Shuffles: by lane number, up, down, xor, rotate and reverse.
//   strategy    one shuffle; each lane computes its source
//   needs       sm_75
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/core/shuffle.cuh>

#include <cstdint>

namespace heddle::warp {

using heddle::shuffle;
using heddle::shuffle_down;
using heddle::shuffle_up;
using heddle::shuffle_xor;

// Rotates the values of each aligned tile of `width` lanes down by `distance`, like std::rotate:
// the first lane gets the value of lane `distance`. A negative `distance` rotates up.
//   called by   every lane of `members`, which holds whole tiles; `distance` may differ per lane
//   result in   each caller: the value of the lane `distance` above, modulo `width`
//   cost        one shuffle for every four bytes, and one addition
template <int width = warp_size, exchangeable T>
[[nodiscard]] __device__ T rotate(T value, int distance, lane_mask members = all_lanes) {
  HEDDLE_EXPECTS_TILE(width, members, "warp::rotate");
  // A shuffle takes its source modulo `width`. The sum may wrap around in 32 bits, because 2^32 is
  // a multiple of every width.
  const auto source = static_cast<std::uint32_t>(lane_id()) + static_cast<std::uint32_t>(distance);
  return shuffle(members, value, static_cast<int>(source), width);
}

// Mirrors each aligned tile of `width` lanes: the first lane gets the last one's value.
//   called by   every lane of `members`, which holds whole tiles
//   result in   each caller: lane i of the tile gets the value of lane width - 1 - i
//   cost        one shuffle for every four bytes
template <int width = warp_size, exchangeable T>
[[nodiscard]] __device__ T reverse(T value, lane_mask members = all_lanes) {
  HEDDLE_EXPECTS_TILE(width, members, "warp::reverse");
  return shuffle_xor(members, value, width - 1, width);
}

}  // namespace heddle::warp
