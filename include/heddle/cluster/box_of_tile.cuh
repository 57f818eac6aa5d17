// Combines boxes across the lanes of a warp.
#pragma once
#include <heddle/cluster/device_points.cuh>
#include <heddle/core/operators.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/warp/aggregate.cuh>
#include <heddle/warp/reduce.cuh>

#include <type_traits>

namespace heddle::cluster::detail {

// The smallest box around the boxes of all lanes of each tile.
//   called by   a whole warp
template <int width, typename T, int axes>
[[nodiscard]] __device__ inline device_box<T, axes> box_of_tile(const device_box<T, axes>& mine) {
  device_box<T, axes> result;
#pragma unroll
  for (int axis = 0; axis < axes; ++axis) {
    result.low[axis] = warp::reduce<width>(mine.low[axis], minimum{});
    result.high[axis] = warp::reduce<width>(mine.high[axis], maximum{});
  }
  return result;
}

// The box of another lane.
//   called by   a whole warp
template <typename T, int axes>
[[nodiscard]] __device__ inline device_box<T, axes> box_of_lane(const device_box<T, axes>& mine,
                                                                int lane) {
  device_box<T, axes> result;
#pragma unroll
  for (int axis = 0; axis < axes; ++axis) {
    result.low[axis] = shuffle(all_lanes, mine.low[axis], lane);
    result.high[axis] = shuffle(all_lanes, mine.high[axis], lane);
  }
  return result;
}

// Atomically replaces a number in device memory with the smaller or the larger of itself and
// `value`. Neither is NaN, and the previous value is not returned. Works on the bits as integers:
// non-negative numbers are ordered like their bits, negative ones in reverse.
template <typename Op, typename T>
__device__ inline void update_side(T* address, T value) {
  using number = warp::detail::unsigned_twin<T>;
  using signed_number = warp::detail::signed_twin<T>;
  constexpr bool smaller_wins = std::is_same_v<Op, minimum>;
  const auto bits = warp::detail::same_bits<signed_number>(value);
  auto* const word = reinterpret_cast<signed_number*>(address);
  if (bits >= 0) {
    static_cast<void>(smaller_wins ? atomicMin(word, bits) : atomicMax(word, bits));
  } else {
    auto* const below = reinterpret_cast<number*>(address);
    const auto of_below = static_cast<number>(bits);
    static_cast<void>(smaller_wins ? atomicMax(below, of_below) : atomicMin(below, of_below));
  }
}

// Extends a box in device memory to hold another one; several lanes may do so at the same time.
template <typename T, int axes>
__device__ inline void widen(device_box<T, axes>& box, const device_box<T, axes>& other) {
#pragma unroll
  for (int axis = 0; axis < axes; ++axis) {
    update_side<minimum>(&box.low[axis], other.low[axis]);
    update_side<maximum>(&box.high[axis], other.high[axis]);
  }
}

}  // namespace heddle::cluster::detail
