// Numbers the clusters and labels the points that are not core.
#pragma once
#include <heddle/cluster/host_link.hpp>
#include <heddle/cluster/result.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace heddle::cluster::detail {

// Numbers the sets by the smallest index of their core points. cell_label gets the number of each
// cell's set, or noise for cells without a core point. Returns the number of sets.
template <typename T, int axes>
std::int32_t number_clusters(host_team& team, const host_cells<T, axes>& cells,
                             const std::uint8_t* is_core,
                             const std::vector<std::uint32_t>& core_count, cell_sets& sets,
                             std::vector<std::int32_t>& cell_label) {
  constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> first_index(cells.cells(), nobody);
  for (std::uint32_t cell = 0; cell < cells.cells(); ++cell) {
    if (core_count[cell] == 0) continue;
    std::uint32_t place = cells.begin(cell);
    while (!is_core[place]) ++place;
    std::uint32_t& first = first_index[sets.find(cell)];
    first = std::min(first, cells.index(place));
  }
  std::vector<narrow_item> roots, spare;
  std::uint32_t largest = 0;
  for (std::uint32_t cell = 0; cell < cells.cells(); ++cell) {
    if (first_index[cell] == nobody) continue;
    roots.emplace_back(first_index[cell], cell);
    largest = std::max(largest, first_index[cell]);
  }
  radix_sort(team, roots, spare, std::bit_width(largest));
  cell_label.assign(cells.cells(), noise);
  std::int32_t number = 0;
  for (const narrow_item& root : roots) cell_label[root.number()] = number++;
  // A root is the smallest cell of its set, so it has its label before the others read it.
  for (std::uint32_t cell = 0; cell < cells.cells(); ++cell)
    if (core_count[cell] != 0) cell_label[cell] = cell_label[sets.find(cell)];
  return number;
}

// Labels the non-core points of cells. Any number of threads may search at the same time, each with
// its own object.
template <typename T, int axes>
class border_search {
 public:
  border_search(const points_view<T, axes>& points, const host_cells<T, axes>& cells,
                const neighbour_rule<T, axes>& rule, const std::vector<core_box<T, axes>>& boxes,
                const std::vector<std::int32_t>& cell_label, const std::uint8_t* is_core)
      : points_(points),
        cells_(cells),
        rule_(rule),
        boxes_(boxes),
        cell_label_(cell_label),
        is_core_(is_core),
        walk_(cells) {}

  // Gives each non-core point of the cell the smallest label among its core neighbours.
  void operator()(std::uint32_t row, std::uint32_t cell, std::int32_t* labels) {
    open_.clear();
    // All points of a cell are neighbours.
    const std::int32_t own = cell_label_[cell] == noise ? none : cell_label_[cell];
    for (std::uint32_t place = cells_.begin(cell); place < cells_.begin(cell + 1); ++place) {
      if (is_core_[place]) continue;
      const std::uint32_t index = cells_.index(place);
      open_point one{{}, index, own};
      for (int axis = 0; axis < axes; ++axis) one.at[axis] = points_(index, axis);
      open_.push_back(one);
    }
    walk_.enter(row, cell);
    look_at(walk_.own_reach(cell));
    for (int which = 0; which < walk_.count(); ++which) look_at(walk_.reach(which, cell));
    for (const open_point& one : open_) labels[one.index] = one.label == none ? noise : one.label;
  }

 private:
  static constexpr std::int32_t none = std::numeric_limits<std::int32_t>::max();
  struct open_point {
    point<T, axes> at;
    std::uint32_t index;
    std::int32_t label;
  };

  void look_at(cell_range range) {
    for (std::uint32_t other = range.begin; other < range.end; ++other) {
      const std::int32_t label = cell_label_[other];
      if (label == noise) continue;
      for (open_point& one : open_) {
        if (one.label <= label) continue;
        if (core_box<T, axes>::least(one.at, boxes_[other]) > rule_.perhaps()) continue;
        if (rule_.any(one.at, cells_.values(), cells_.begin(other), cells_.begin(other + 1)))
          one.label = label;
      }
    }
  }

  const points_view<T, axes>& points_;
  const host_cells<T, axes>& cells_;
  const neighbour_rule<T, axes>& rule_;
  const std::vector<core_box<T, axes>>& boxes_;
  const std::vector<std::int32_t>& cell_label_;
  const std::uint8_t* is_core_;
  row_walk<T, axes, false> walk_;
  std::vector<open_point> open_;
};

}  // namespace heddle::cluster::detail
