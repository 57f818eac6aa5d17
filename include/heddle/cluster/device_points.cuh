// Points, boxes and distances for kernels.
#pragma once
#include <heddle/cluster/neighbour_bounds.hpp>
#include <heddle/cluster/points.hpp>
#include <heddle/core/config.cuh>
#include <heddle/core/operators.cuh>

#include <cstddef>
#include <cstdint>

namespace heddle::cluster::detail {

template <typename T, int axes>
struct device_point {
  T at[axes];
};

// The caller's points, in any layout in device memory.
template <typename T, int axes>
struct device_points {
  const T* first[axes];
  std::ptrdiff_t bytes_apart;
  std::uint32_t count;

  explicit device_points(const points_view<T, axes>& points)
      : bytes_apart(points.bytes_apart()), count(static_cast<std::uint32_t>(points.size())) {
    for (int axis = 0; axis < axes; ++axis) first[axis] = points.first(axis);
  }

  [[nodiscard]] __device__ device_point<T, axes> operator[](std::uint32_t point) const {
    device_point<T, axes> result;
#pragma unroll
    for (int axis = 0; axis < axes; ++axis) {
      const char* const place = reinterpret_cast<const char*>(first[axis]);
      result.at[axis] =
          *reinterpret_cast<const T*>(place + bytes_apart * static_cast<std::ptrdiff_t>(point));
    }
    return result;
  }
};

// Computed in T, with its rounding.
template <typename T, int axes>
[[nodiscard]] __device__ inline T squared_distance(const device_point<T, axes>& one,
                                                   const device_point<T, axes>& other) {
  T sum = 0;
#pragma unroll
  for (int axis = 0; axis < axes; ++axis) {
    const T difference = one.at[axis] - other.at[axis];
    sum += difference * difference;
  }
  return sum;
}

// The rule of neighbour_rule.hpp, evaluated only where a test in T cannot decide.
template <typename T, int axes>
[[nodiscard]] __device__ inline bool are_neighbours(const device_point<T, axes>& one,
                                                    const device_point<T, axes>& other,
                                                    const neighbour_bounds<T>& bounds) {
  const T sum = squared_distance(one, other);
  if (sum <= bounds.surely) return true;
  // Where squares in T may overflow, `perhaps` is infinite, and so may the sum be.
  if (sum > bounds.perhaps) return false;
  double exact = 0;
#pragma unroll
  for (int axis = 0; axis < axes; ++axis) {
    const double difference =
        __dsub_rn(static_cast<double>(one.at[axis]), static_cast<double>(other.at[axis]));
    exact = __dadd_rn(exact, __dmul_rn(difference, difference));
  }
  return exact <= bounds.exactly;
}

// The smallest box around some points.
template <typename T, int axes>
struct device_box {
  T low[axes];
  T high[axes];

  [[nodiscard]] __device__ static device_box around_nothing() {
    device_box result;
#pragma unroll
    for (int axis = 0; axis < axes; ++axis) {
      result.low[axis] = identity<minimum, T>();
      result.high[axis] = identity<maximum, T>();
    }
    return result;
  }

  __device__ void include(const device_point<T, axes>& point) {
#pragma unroll
    for (int axis = 0; axis < axes; ++axis) {
      low[axis] = minimum{}(low[axis], point.at[axis]);
      high[axis] = maximum{}(high[axis], point.at[axis]);
    }
  }

  // A lower bound, in T, of the squared distance between points of the two boxes.
  [[nodiscard]] __device__ T least_to(const device_box& other) const {
    T sum = 0;
#pragma unroll
    for (int axis = 0; axis < axes; ++axis) {
      const T after = low[axis] - other.high[axis];
      const T before = other.low[axis] - high[axis];
      T gap = after > before ? after : before;
      gap = gap > 0 ? gap : 0;
      sum += gap * gap;
    }
    return sum;
  }
  [[nodiscard]] __device__ T least_to(const device_point<T, axes>& point) const {
    device_box alone;
#pragma unroll
    for (int axis = 0; axis < axes; ++axis) alone.low[axis] = alone.high[axis] = point.at[axis];
    return least_to(alone);
  }

  // An upper bound, in T, of the squared distance between points of the two boxes.
  [[nodiscard]] __device__ T most_to(const device_box& other) const {
    T sum = 0;
#pragma unroll
    for (int axis = 0; axis < axes; ++axis) {
      const T one = high[axis] - other.low[axis];
      const T two = other.high[axis] - low[axis];
      const T length = one > two ? one : two;
      sum += length * length;
    }
    return sum;
  }
};

}  // namespace heddle::cluster::detail
