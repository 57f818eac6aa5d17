// Finds the points that other ranks need copies of: those that may be neighbours of theirs.
#pragma once
#include <heddle/cluster/neighbour_rule.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace heddle::distributed::detail {

using cluster::detail::point;

// The smallest box around a rank's points; low exceeds high if it has none.
template <typename T, int axes>
struct rank_box {
  point<T, axes> low;
  point<T, axes> high;

  static rank_box around(std::span<const point<T, axes>> points) {
    rank_box box;
    box.low.fill(std::numeric_limits<T>::infinity());
    box.high.fill(-std::numeric_limits<T>::infinity());
    for (const point<T, axes>& one : points)
      for (int axis = 0; axis < axes; ++axis) {
        box.low[axis] = std::min(box.low[axis], one[axis]);
        box.high[axis] = std::max(box.high[axis], one[axis]);
      }
    return box;
  }

  [[nodiscard]] bool is_empty() const { return !(low[0] <= high[0]); }
};

// Whether points of two boxes may be neighbours. Differences are rounded as the rule rounds those
// of points. The rule is monotone, so points of the boxes are never closer than the boxes, even
// with rounding.
template <typename T, int axes>
[[nodiscard]] bool may_touch(const rank_box<T, axes>& a, const rank_box<T, axes>& b,
                             const cluster::detail::neighbour_rule<double, axes>& rule) {
  constexpr point<double, axes> here{};
  point<double, axes> gap;
  for (int axis = 0; axis < axes; ++axis)
    gap[axis] =
        std::max({static_cast<double>(a.low[axis]) - static_cast<double>(b.high[axis]),
                  static_cast<double>(b.low[axis]) - static_cast<double>(a.high[axis]), 0.0});
  return rule(gap, here);
}

// For each rank, the indices of the points of rank `own` that it needs copies of, ascending.
//   boxes       around all ranks' points
//   cost        a test for each point and each rank whose box is within eps of this rank's
template <typename T, int axes>
[[nodiscard]] std::vector<std::vector<std::uint32_t>> copies_for_others(
    std::span<const point<T, axes>> points, std::span<const rank_box<T, axes>> boxes, int own,
    double eps) {
  const cluster::detail::neighbour_rule<double, axes> rule(eps);
  std::vector<std::vector<std::uint32_t>> copies(boxes.size());
  std::vector<std::size_t> close;
  const rank_box<T, axes>& mine = boxes[static_cast<std::size_t>(own)];
  for (std::size_t rank = 0; rank < boxes.size(); ++rank)
    if (static_cast<int>(rank) != own && !mine.is_empty() && !boxes[rank].is_empty() &&
        may_touch(mine, boxes[rank], rule))
      close.push_back(rank);
  for (std::size_t p = 0; p < points.size(); ++p)
    for (const std::size_t rank : close)
      if (may_touch({points[p], points[p]}, boxes[rank], rule))
        copies[rank].push_back(static_cast<std::uint32_t>(p));
  return copies;
}

}  // namespace heddle::distributed::detail
