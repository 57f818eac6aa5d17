// The warp size, lane masks, and a thread's position in its warp and block.
#pragma once
#include <heddle/core/config.cuh>

#include <cstdint>

namespace heddle {

// The number of lanes in a warp.
inline constexpr int warp_size = 32;

// A set of lanes: bit i names lane i.
using lane_mask = std::uint32_t;
inline constexpr lane_mask all_lanes = ~lane_mask{0};

// A tile is an aligned part of a warp: 1, 2, 4, 8, 16 or 32 lanes.
template <int width>
inline constexpr bool is_tile_width = width >= 1 && width <= warp_size &&
                                      (width & (width - 1)) == 0;

// The caller's lane number, whatever the shape of the block.
[[nodiscard]] __device__ inline int lane_id() {
  std::uint32_t lane;
  // threadIdx.x is an unused input. Without an input nvcc takes the result to be uniform across the
  // warp: it splits a loop in which lane 0 does more into two loops, and every shuffle then has to
  // reconverge the lanes on the slow path. A volatile asm would also prevent that, but would be
  // re-read at each use.
  asm("mov.u32 %0, %%laneid;" : "=r"(lane) : "r"(threadIdx.x));
  return static_cast<int>(lane);
}

// For a condition that is uniform across the warp although the compiler cannot prove it. The vote
// proves it. Otherwise the compiler assumes that the warp is divergent after a branch on the
// condition, and every shuffle there takes the slow path.
[[nodiscard]] __device__ inline bool agreed(bool condition) {
  return __any_sync(all_lanes, condition) != 0;
}

// The caller's rank in its block, and the block's size. Ranks count along x, then y, then z.
[[nodiscard]] __device__ inline int thread_rank() {
  return static_cast<int>(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
}
[[nodiscard]] __device__ inline int block_size() {
  return static_cast<int>(blockDim.x * blockDim.y * blockDim.z);
}

// The caller's warp in its block, and the number of warps; the last one may be partial. Unsigned,
// so that the divisions become shifts.
[[nodiscard]] __device__ inline int warp_rank() {
  return static_cast<int>(static_cast<unsigned>(thread_rank()) / warp_size);
}
[[nodiscard]] __device__ inline int warp_count() {
  return static_cast<int>((static_cast<unsigned>(block_size()) + warp_size - 1) / warp_size);
}

// The lanes of the caller's warp that have a thread. That is every lane, except in the last warp of
// a block whose size is not a multiple of the warp size.
[[nodiscard]] __device__ inline lane_mask lanes_with_thread() {
  const int left = block_size() - warp_rank() * warp_size;
  return left >= warp_size ? all_lanes : (lane_mask{1} << left) - 1;
}

}  // namespace heddle
