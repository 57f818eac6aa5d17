// Who a lane is, and the one place that knows how many lanes a warp has.
#pragma once
#include <heddle/core/config.cuh>

#include <cstdint>

namespace heddle {

// How many lanes a warp has.
inline constexpr int warp_size = 32;

// A set of lanes: bit i names lane i.
using lane_mask = std::uint32_t;
inline constexpr lane_mask all_lanes = ~lane_mask{0};

// A tile is an aligned part of a warp: 1, 2, 4, 8, 16 or 32 lanes.
template <int width>
inline constexpr bool is_tile_width = width >= 1 && width <= warp_size &&
                                      (width & (width - 1)) == 0;

// The caller's place in its warp, whatever the shape of the block.
[[nodiscard]] __device__ inline int lane_id() {
  std::uint32_t lane;
  // The thread's number goes in unused, because nvcc takes what comes from nothing for the same in
  // all lanes: of a loop in which lane 0 does more it makes two, and lanes that run different loops
  // meet at each shuffle the long way. A volatile asm ends that too, and is read anew at each use.
  asm("mov.u32 %0, %%laneid;" : "=r"(lane) : "r"(threadIdx.x));
  return static_cast<int>(lane);
}

// A condition that is the same in all lanes of the warp, which the compiler does not see by itself.
// After this vote it does; else it takes the warp for parted behind a branch, and every shuffle
// there takes the long way.
[[nodiscard]] __device__ inline bool agreed(bool condition) {
  return __any_sync(all_lanes, condition) != 0;
}

// The caller's place in its block, and the block's size, counted along x, then y, then z.
[[nodiscard]] __device__ inline int thread_rank() {
  return static_cast<int>(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
}
[[nodiscard]] __device__ inline int block_size() {
  return static_cast<int>(blockDim.x * blockDim.y * blockDim.z);
}

// The caller's warp in its block, and how many there are; the last one may be partial.
// Without a sign, so that the divisions are shifts.
[[nodiscard]] __device__ inline int warp_rank() {
  return static_cast<int>(static_cast<unsigned>(thread_rank()) / warp_size);
}
[[nodiscard]] __device__ inline int warp_count() {
  return static_cast<int>((static_cast<unsigned>(block_size()) + warp_size - 1) / warp_size);
}

// The lanes of the caller's warp that have a thread: all but in the last warp of a block whose size
// is not a multiple of the warp's.
[[nodiscard]] __device__ inline lane_mask lanes_with_thread() {
  const int left = block_size() - warp_rank() * warp_size;
  return left >= warp_size ? all_lanes : (lane_mask{1} << left) - 1;
}

}  // namespace heddle
