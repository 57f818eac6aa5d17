// A view of the caller's points: a pointer for each axis, and a stride.
#pragma once
#include <array>
#include <concepts>
#include <cstddef>
#include <span>

namespace heddle::cluster {

// Points with two or three axes, in any memory layout. Owns nothing.
template <std::floating_point T, int axes>
class points_view {
  static_assert(axes == 2 || axes == 3, "points have two or three axes");
  static_assert(sizeof(T) <= sizeof(double), "coordinates are float or double");

 public:
  points_view() = default;

  // On each axis, the coordinate of point i is `bytes * i` bytes after the first one.
  points_view(std::array<const T*, axes> first, std::size_t count, std::ptrdiff_t bytes)
      : first_(first), count_(count), bytes_(bytes) {}

  // The number of points, the address of the first coordinate on an axis, and the distance in bytes
  // from one point's coordinate to the next point's.
  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] const T* first(int axis) const { return first_[axis]; }
  [[nodiscard]] std::ptrdiff_t bytes_apart() const { return bytes_; }

  // One coordinate of one point.
  [[nodiscard]] T operator()(std::size_t point, int axis) const {
    const char* place = reinterpret_cast<const char*>(first_[axis]);
    return *reinterpret_cast<const T*>(place + bytes_ * static_cast<std::ptrdiff_t>(point));
  }

 private:
  std::array<const T*, axes> first_{};
  std::size_t count_ = 0;
  std::ptrdiff_t bytes_ = sizeof(T);
};

// Points one after another: x y z x y z …, with `values` numbers from one point's x to the next
// one's. For example 4 for x y z intensity.
template <int axes, std::floating_point T>
[[nodiscard]] points_view<T, axes> interleaved_points(const T* first, std::size_t count,
                                                      std::size_t values = axes) {
  std::array<const T*, axes> at{};
  for (int axis = 0; axis < axes; ++axis) at[axis] = count == 0 ? first : first + axis;
  return {at, count, static_cast<std::ptrdiff_t>(values * sizeof(T))};
}

// A separate array for each axis.
template <std::floating_point T>
[[nodiscard]] points_view<T, 2> separate_points(const T* x, const T* y, std::size_t count) {
  return {{x, y}, count, sizeof(T)};
}
template <std::floating_point T>
[[nodiscard]] points_view<T, 3> separate_points(const T* x, const T* y, const T* z,
                                                std::size_t count) {
  return {{x, y, z}, count, sizeof(T)};
}

}  // namespace heddle::cluster
