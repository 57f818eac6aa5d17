// Cell numbers on the host: which cell of a grid a coordinate is in, whatever the extent.
#pragma once
#include <heddle/cluster/host_team.hpp>
#include <heddle/cluster/points.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace heddle::cluster::detail {

// A cell number for each coordinate, axis by axis. Everything else relies on two guarantees:
//   (1) points with equal numbers on all axes are neighbours, by the rule including its rounding;
//   (2) points whose numbers differ by more than 2 on some axis are not.
// The edge of a cell is eps / sqrt(axes), shortened by one part in 2^20.
//
// An even grid numbers by floor((x - lowest) * (1 / edge)). Take the rounded 1 / edge as the
// definition of the edge; then the difference and the product are each off by a factor of
// 1 + 2^-53. Numbers stay below 2^24, so the quotient is off by less than 2^-28 cells, and points
// of one cell are at most edge * (1 + 2^-27) apart on an axis. The shortened edge leaves a margin
// of 2^-20 for that and for the 2^-50 of the rule. Numbers that differ by 3 belong to points more
// than edge * (2 - 2^-27) apart, which is above 1.15 eps on three axes and above 1.41 eps on two.
//
// An uneven grid is for extents beyond 2^24 cells. The values of an axis are sorted. A cell begins
// at the first value that is more than an edge above the beginning of the previous cell.
// Differences are taken between the values themselves, so their relative error is 2^-53 however
// large the values are: guarantee 1. Three cells further, a value lies past the beginnings of two
// more cells, each more than an edge after the one before: guarantee 2. Cells far apart may have
// close numbers, which costs only an extra look.
template <typename T, int axes>
class host_grid {
 public:
  // Finds the extent of the points and the kind of grid for them.
  host_grid(host_team& team, const points_view<T, axes>& points, double eps) : points_(points) {
    const double edge = eps / std::sqrt(static_cast<double>(axes)) * (1 - 0x1p-20);
    per_cell_ = 1 / edge;
    find_extent(team);
    for (int axis = 0; axis < axes; ++axis) {
      const double highest = (highest_[axis] - lowest_[axis]) * per_cell_;
      is_even_ = is_even_ && !(highest >= 0x1p24);
      largest_[axis] = highest >= 0 && highest < 0x1p24 ? static_cast<std::uint32_t>(highest) : 0;
    }
    if (is_even_) return;
    for (int axis = 0; axis < axes; ++axis) largest_[axis] = number_unevenly(axis, edge);
  }

  // False for a point with an infinite or NaN coordinate.
  [[nodiscard]] bool is_finite(std::size_t p) const {
    for (int axis = 0; axis < axes; ++axis)
      if (!std::isfinite(points_(p, axis))) return false;
    return true;
  }

  // The number of a finite point's cell on an axis.
  [[nodiscard]] std::uint32_t number(std::size_t p, int axis) const {
    if (!is_even_) return uneven_[axis][p];
    const double value = static_cast<double>(points_(p, axis));
    return static_cast<std::uint32_t>((value - lowest_[axis]) * per_cell_);
  }

  // The largest number on an axis.
  [[nodiscard]] std::uint32_t largest(int axis) const { return largest_[axis]; }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  using bounds = std::array<double, axes>;

  void find_extent(host_team& team) {
    struct extent {
      bounds lowest, highest;
    };
    extent none;
    none.lowest.fill(infinity);
    none.highest.fill(-infinity);
    std::vector<extent> found(static_cast<std::size_t>(team.size()), none);
    team.for_ranges(points_.size(), 16384, [&](std::size_t begin, std::size_t end, int member) {
      extent mine = found[static_cast<std::size_t>(member)];
      for (std::size_t p = begin; p < end; ++p) {
        if (!is_finite(p)) continue;
        for (int axis = 0; axis < axes; ++axis) {
          const double value = static_cast<double>(points_(p, axis));
          mine.lowest[axis] = std::min(mine.lowest[axis], value);
          mine.highest[axis] = std::max(mine.highest[axis], value);
        }
      }
      found[static_cast<std::size_t>(member)] = mine;
    });
    lowest_ = none.lowest;
    highest_ = none.highest;
    for (const extent& one : found)
      for (int axis = 0; axis < axes; ++axis) {
        lowest_[axis] = std::min(lowest_[axis], one.lowest[axis]);
        highest_[axis] = std::max(highest_[axis], one.highest[axis]);
      }
  }

  std::uint32_t number_unevenly(int axis, double edge) {
    std::vector<std::pair<T, std::uint32_t>> values;
    for (std::size_t p = 0; p < points_.size(); ++p)
      if (is_finite(p)) values.emplace_back(points_(p, axis), static_cast<std::uint32_t>(p));
    std::sort(values.begin(), values.end());
    uneven_[axis].resize(points_.size());
    std::uint32_t number = 0;
    double beginning = static_cast<double>(values.front().first);
    for (const auto& [value, p] : values) {
      if (static_cast<double>(value) - beginning > edge) {
        ++number;
        beginning = static_cast<double>(value);
      }
      uneven_[axis][p] = number;
    }
    return number;
  }

  points_view<T, axes> points_;
  double per_cell_;
  bool is_even_ = true;
  bounds lowest_;
  bounds highest_;
  std::array<std::uint32_t, axes> largest_{};
  std::array<std::vector<std::uint32_t>, axes> uneven_;
};

}  // namespace heddle::cluster::detail
