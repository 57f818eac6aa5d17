// A block, or a tile of several warps, as a team of warps.
#pragma once
#include <heddle/group/members.cuh>
#include <heddle/group/scratch.cuh>
#include <heddle/group/team.cuh>

namespace heddle::group::detail {

// The team of all threads of a tile of several warps.
template <of_several_warps Tile>
struct tile_team : place {
  const Tile& tile;
  __device__ explicit tile_team(const Tile& own)
      : place(static_cast<int>(own.thread_rank()), tile_size<Tile>), tile(own) {
    HEDDLE_EXPECTS((thread_rank() / tile_size<Tile> + 1) * tile_size<Tile> <= block_size(),
                   "the block ends within this tile");
  }
  __device__ void sync() const { tile.sync(); }
};

// The team of a group.
template <of_several_warps Group, typename T, int threads>
__device__ inline auto team_of(const Group& group, const scratch<T, threads>& shared) {
  if constexpr (tile_size < Group >> 0) {
    static_assert(threads == any_size || threads == tile_size<Group>,
                  "a scratch is for tiles of its own size, or of any_size");
    return tile_team<Group>(group);
  } else {
    return block_of(shared);
  }
}

}  // namespace heddle::group::detail
