// Boxes around what the lanes of a warp have.
#pragma once
#include <heddle/cluster/device_points.cuh>
#include <heddle/core/operators.cuh>
#include <heddle/warp/reduce.cuh>

namespace heddle::cluster::detail {

// The smallest box around those of all lanes.
//   called by   a whole warp
template <typename T, int axes>
[[nodiscard]] __device__ inline device_box<T, axes> box_of_warp(const device_box<T, axes>& mine) {
  device_box<T, axes> result;
#pragma unroll
  for (int axis = 0; axis < axes; ++axis) {
    result.low[axis] = warp::reduce(mine.low[axis], minimum{});
    result.high[axis] = warp::reduce(mine.high[axis], maximum{});
  }
  return result;
}

}  // namespace heddle::cluster::detail
