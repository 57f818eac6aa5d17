// Several warps that work together: where the caller stands among them, and where they meet.
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/group/scratch.cuh>

namespace heddle::group::detail {

// Where the caller stands.
struct place {
  int rank;    // of the caller in the team
  int warps;   // of the team; only the last may lack lanes
  int warp;    // the caller's
  int lane;    // the caller's, in its warp
  int lanes;   // of its warp: those that have a thread
  bool whole;  // no warp of the team lacks lanes

  __device__ place(int own_rank, int threads) : rank(own_rank) {
    // Without a sign, so that the divisions are shifts.
    const auto size = static_cast<unsigned>(threads);
    const unsigned before = static_cast<unsigned>(own_rank) / warp_size * warp_size;
    warps = static_cast<int>((size + warp_size - 1) / warp_size);
    warp = static_cast<int>(before / warp_size);
    lane = lane_id();
    whole = size % warp_size == 0;
    lanes = whole || size - before >= warp_size ? warp_size : static_cast<int>(size - before);
  }

  __device__ bool is_first() const { return rank == 0; }
  __device__ bool is_alone() const { return warps == 1; }
};

// The threads of a block.
template <int threads>
struct block_team : place {
  __device__ block_team() : place(thread_rank(), threads == any_size ? block_size() : threads) {
    HEDDLE_EXPECTS(threads == any_size || threads == block_size(),
                   "this scratch is for blocks of another size");
  }
  __device__ void sync() const { __syncthreads(); }
};

// The team that a scratch of a block is for.
template <typename T, int threads, int rows>
__device__ inline block_team<threads> block_of(const scratch<T, threads, rows>&) {
  return {};
}

}  // namespace heddle::group::detail
