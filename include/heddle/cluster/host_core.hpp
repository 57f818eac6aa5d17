// Finds the core points on the host: those with enough neighbours.
#pragma once
#include <heddle/cluster/host_neighbourhood.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace heddle::cluster::detail {

// Finds the core points of cells. Any number of threads may search at the same time, each with its
// own object.
template <typename T, int axes>
class core_search {
 public:
  core_search(const host_cells<T, axes>& cells, const neighbour_rule<T, axes>& rule,
              std::uint32_t min_points, std::uint8_t* is_core)
      : cells_(cells), rule_(rule), min_points_(min_points), is_core_(is_core), walk_(cells) {}

  // Sets is_core at the place of each point of a cell; returns how many are core.
  std::uint32_t operator()(std::uint32_t row, std::uint32_t cell) {
    const std::uint32_t begin = cells_.begin(cell), end = cells_.begin(cell + 1);
    // All points of a cell are neighbours.
    const bool all_are_core = end - begin >= min_points_;
    std::fill(is_core_ + begin, is_core_ + end, all_are_core);
    if (all_are_core) return end - begin;
    open_.clear();
    for (std::uint32_t place = begin; place < end; ++place)
      open_.push_back({rule_.at_place(cells_.values(), place), place, end - begin});
    walk_.enter(row, cell);
    const cell_range own = walk_.own_reach(cell);
    count_in(cells_.begin(own.begin), begin);
    count_in(end, cells_.begin(own.end));
    for (int which = 0; which < walk_.count() && !open_.empty(); ++which) {
      const cell_range range = walk_.reach(which, cell);
      count_in(cells_.begin(range.begin), cells_.begin(range.end));
    }
    return end - begin - static_cast<std::uint32_t>(open_.size());
  }

 private:
  struct open_point {
    point<T, axes> at;
    std::uint32_t place;
    std::uint32_t neighbours;
  };

  // Counts the points at [begin, end) for all points not yet known to be core.
  void count_in(std::uint32_t begin, std::uint32_t end) {
    if (begin == end) return;
    for (std::size_t one = 0; one < open_.size();) {
      open_point& mine = open_[one];
      mine.neighbours += rule_.count(mine.at, cells_.values(), begin, end);
      if (mine.neighbours < min_points_) {
        ++one;
        continue;
      }
      is_core_[mine.place] = true;
      mine = open_.back();
      open_.pop_back();
    }
  }

  const host_cells<T, axes>& cells_;
  const neighbour_rule<T, axes>& rule_;
  std::uint32_t min_points_;
  std::uint8_t* is_core_;
  row_walk<T, axes, false> walk_;
  std::vector<open_point> open_;
};

}  // namespace heddle::cluster::detail
