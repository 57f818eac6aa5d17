// Joins cells whose core points are neighbours, on the host.
#pragma once
#include <heddle/cluster/host_neighbourhood.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <vector>

namespace heddle::cluster::detail {

// Disjoint sets of cells; the smallest cell of a set is its root.
//   called by   any number of threads, all functions at the same time
class cell_sets {
 public:
  void reset(std::size_t count) {
    parents_.resize(count);
    for (std::size_t cell = 0; cell < count; ++cell)
      parents_[cell] = static_cast<std::uint32_t>(cell);
  }

  [[nodiscard]] std::uint32_t find(std::uint32_t cell) {
    std::uint32_t parent = load(cell);
    while (parent != cell) {
      const std::uint32_t above = load(parent);
      // Another thread may have stored something smaller; both are on the path to the root.
      if (above != parent) at(cell).store(above, std::memory_order_relaxed);
      cell = parent;
      parent = above;
    }
    return cell;
  }

  // Unites the sets of two cells and returns the root.
  std::uint32_t unite(std::uint32_t a, std::uint32_t b) {
    for (;;) {
      a = find(a);
      b = find(b);
      if (a == b) return a;
      if (a > b) std::swap(a, b);
      // Fails if b has got a parent meanwhile.
      if (at(b).compare_exchange_strong(b, a, std::memory_order_relaxed)) return a;
    }
  }

 private:
  std::atomic_ref<std::uint32_t> at(std::uint32_t cell) {
    return std::atomic_ref<std::uint32_t>(parents_[cell]);
  }
  std::uint32_t load(std::uint32_t cell) { return at(cell).load(std::memory_order_relaxed); }

  std::vector<std::uint32_t> parents_;
};

// The smallest box around the core points of a cell.
template <typename T, int axes>
struct core_box {
  point<T, axes> low;
  point<T, axes> high;

  // The box around those of [begin, end) that have not been taken out.
  static core_box around(const coordinates<T, axes>& values, std::uint32_t begin,
                         std::uint32_t end) {
    core_box box;
    box.low.fill(std::numeric_limits<T>::infinity());
    box.high.fill(-std::numeric_limits<T>::infinity());
    for (std::uint32_t place = begin; place < end; ++place) {
      if (values[0][place] != values[0][place]) continue;
      for (int axis = 0; axis < axes; ++axis) {
        box.low[axis] = std::min(box.low[axis], values[axis][place]);
        box.high[axis] = std::max(box.high[axis], values[axis][place]);
      }
    }
    return box;
  }

  // A lower bound, in T, of the squared distance between points of the two boxes.
  static T least(const core_box& a, const core_box& b) {
    T sum = 0;
    for (int axis = 0; axis < axes; ++axis) {
      const T gap = std::max({a.low[axis] - b.high[axis], b.low[axis] - a.high[axis], T(0)});
      sum += gap * gap;
    }
    return sum;
  }
  static T least(const point<T, axes>& one, const core_box& box) { return least({one, one}, box); }

  // An upper bound, in T, of the squared distance between points of the two boxes.
  static T most(const core_box& a, const core_box& b) {
    T sum = 0;
    for (int axis = 0; axis < axes; ++axis) {
      const T length = std::max(a.high[axis] - b.low[axis], b.high[axis] - a.low[axis]);
      sum += length * length;
    }
    return sum;
  }
};

// Joins cells with the earlier cells in reach. Any number of threads may do so at the same time,
// each with its own object.
template <typename T, int axes>
class cell_linker {
 public:
  cell_linker(const host_cells<T, axes>& cells, const neighbour_rule<T, axes>& rule,
              const std::vector<core_box<T, axes>>& boxes,
              const std::vector<std::uint32_t>& core_count, cell_sets& sets)
      : cells_(cells),
        rule_(rule),
        boxes_(boxes),
        core_count_(core_count),
        sets_(sets),
        walk_(cells) {}

  void operator()(std::uint32_t row, std::uint32_t cell) {
    if (core_count_[cell] == 0) return;
    walk_.enter(row, cell);
    std::uint32_t root = sets_.find(cell);
    const cell_range own = walk_.own_reach(cell);
    // Nearest first: an early join makes it unnecessary to compare other cells of the same set.
    for (std::uint32_t other = own.end; other-- > own.begin;) join(cell, other, root);
    for (int which = 0; which < walk_.count(); ++which) {
      const cell_range range = walk_.reach(which, cell);
      for (std::uint32_t other = range.begin; other < range.end; ++other) join(cell, other, root);
    }
  }

 private:
  void join(std::uint32_t cell, std::uint32_t other, std::uint32_t& root) {
    if (core_count_[other] == 0 || sets_.find(other) == root) return;
    if (are_neighbours(cell, other)) root = sets_.unite(root, other);
  }

  // Whether a core point of one cell is a neighbour of a core point of the other.
  bool are_neighbours(std::uint32_t a, std::uint32_t b) {
    using box = core_box<T, axes>;
    if (box::least(boxes_[a], boxes_[b]) > rule_.perhaps()) return false;
    if (box::most(boxes_[a], boxes_[b]) <= rule_.surely()) return true;
    for (std::uint32_t place = cells_.begin(a); place < cells_.begin(a + 1); ++place) {
      const point<T, axes> one = rule_.at_place(cells_.values(), place);
      // The distance to a point that has been taken out is NaN, so such a point passes neither
      // test.
      if (!(box::least(one, boxes_[b]) <= rule_.perhaps())) continue;
      if (rule_.any(one, cells_.values(), cells_.begin(b), cells_.begin(b + 1))) return true;
    }
    return false;
  }

  const host_cells<T, axes>& cells_;
  const neighbour_rule<T, axes>& rule_;
  const std::vector<core_box<T, axes>>& boxes_;
  const std::vector<std::uint32_t>& core_count_;
  cell_sets& sets_;
  row_walk<T, axes, true> walk_;
};

}  // namespace heddle::cluster::detail
