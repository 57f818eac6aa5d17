// Operations on lane masks: count, rank, and first, last, next and previous lane; and the
// preconditions that lanes call together.
#pragma once
#include <heddle/core/lane.cuh>

namespace heddle {

// Lanes 0 … lane - 1; `lane` is 0 … 32.
[[nodiscard]] __device__ constexpr lane_mask lanes_below(int lane) {
  return lane >= warp_size ? all_lanes : (lane_mask{1} << lane) - 1;
}

// The aligned tile of `width` lanes that `lane` lies in.
template <int width>
[[nodiscard]] __device__ constexpr lane_mask tile_of(int lane) {
  static_assert(is_tile_width<width>, "a tile is 1, 2, 4, 8, 16 or 32 lanes wide");
  return lanes_below(width) << (lane & ~(width - 1));
}

// Whether `lane` is a member.
[[nodiscard]] __device__ constexpr bool contains(lane_mask members, int lane) {
  return (members >> lane & 1) != 0;
}

// The number of members.
[[nodiscard]] __device__ inline int count(lane_mask members) {
  return __popc(static_cast<int>(members));
}

// The members below `lane`: as a mask, and their number, which is the rank of a member.
[[nodiscard]] __device__ inline lane_mask prefix(lane_mask members, int lane) {
  return members & lanes_below(lane);
}
[[nodiscard]] __device__ inline int rank(lane_mask members, int lane) {
  return count(prefix(members, lane));
}
// The caller's own rank.
[[nodiscard]] __device__ inline int rank(lane_mask members) {
  lane_mask below;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
  return count(members & below);
}

// The last, first, next and previous member; -1 if there is none.
[[nodiscard]] __device__ inline int last_lane(lane_mask members) {
  return warp_size - 1 - __clz(static_cast<int>(members));
}
[[nodiscard]] __device__ inline int first_lane(lane_mask members) {
  return last_lane(members & (~members + 1));  // lowest bit; __ffs costs one more slow instruction
}
[[nodiscard]] __device__ inline int next_lane(lane_mask members, int lane) {
  return first_lane(members & ~lanes_below(lane + 1));
}
[[nodiscard]] __device__ inline int previous_lane(lane_mask members, int lane) {
  return last_lane(members & lanes_below(lane));
}

// The member with that rank: the inverse of rank().
//   rank    0 … count(members) - 1
//   cost    about 25 instructions; no shuffle
[[nodiscard]] __device__ inline int lane_of_rank(lane_mask members, int rank) {
  int lane = 0;
#pragma unroll
  for (int half = warp_size / 2; half > 0; half /= 2) {
    const int in_lower_half = count(members >> lane & lanes_below(half));
    const bool is_above = rank >= in_lower_half;
    rank -= is_above ? in_lower_half : 0;
    lane += is_above ? half : 0;
  }
  return lane;
}

namespace detail {

// For preconditions: whether the caller's tile is whole among the members, and whether all these
// lanes call. A vote does not wait for lanes that have exited or that no thread has, and leaves
// their bits 0.
template <int width>
[[nodiscard]] __device__ inline bool has_tile(lane_mask members) {
  return (tile_of<width>(lane_id()) & ~members) == 0;
}
[[nodiscard]] __device__ inline bool all_call(lane_mask lanes, lane_mask members) {
  return (lanes & ~__ballot_sync(members, true)) == 0;
}

}  // namespace detail

}  // namespace heddle

// What most collectives of a warp need: every lane of the caller's tile is a member and calls.
#define HEDDLE_EXPECTS_TILE(width, members, name)                                                \
  do {                                                                                           \
    static_assert(heddle::is_tile_width<width>, "a tile is 1, 2, 4, 8, 16 or 32 lanes wide");    \
    HEDDLE_EXPECTS(heddle::detail::has_tile<width>(members),                                     \
                   name " needs every lane of the caller's tile among its members");             \
    HEDDLE_EXPECTS(heddle::detail::all_call(heddle::tile_of<width>(heddle::lane_id()), members), \
                   name                                                                          \
                   " needs every lane of the caller's tile to call, but one has exited or "      \
                   "the block ends within the tile; use heddle::group for some lanes");          \
  } while (false)
