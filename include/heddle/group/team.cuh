// A team of several warps: the caller's position in it, and its barrier.
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/group/scratch.cuh>

namespace heddle::group::detail {

// The caller's position in its team.
struct place {
  int rank;    // the caller's, in the team
  int warps;   // of the team; only the last may be partial
  int warp;    // the caller's
  int lane;    // the caller's, in its warp
  int lanes;   // lanes of its warp that have a thread
  bool whole;  // no warp of the team is partial

  __device__ place(int own_rank, int threads) : rank(own_rank) {
    // Unsigned, so that the divisions become shifts.
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

// The team of all threads of a block.
template <int threads>
struct block_team : place {
  __device__ block_team() : place(thread_rank(), threads == any_size ? block_size() : threads) {
    HEDDLE_EXPECTS(threads == any_size || threads == block_size(),
                   "this scratch is for blocks of another size");
  }
  __device__ void sync() const { __syncthreads(); }
};

// The team of a block, of the size that its scratch is for.
template <typename T, int threads, int rows>
__device__ inline block_team<threads> block_of(const scratch<T, threads, rows>&) {
  return {};
}

}  // namespace heddle::group::detail
