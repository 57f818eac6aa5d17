// Points grouped by grid cell, and cells grouped by row, all in the order z, y, x.
#pragma once
#include <heddle/cluster/host_grid.hpp>
#include <heddle/cluster/host_radix_sort.hpp>
#include <heddle/cluster/neighbour_rule.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace heddle::cluster::detail {

// The occupied cells. Points have places, cell by cell, so the points of consecutive cells of a row
// are contiguous. A row is the cells with one z and y.
template <typename T, int axes>
class host_cells {
 public:
  // Groups the finite points; the others get no place.
  void group(host_team& team, const points_view<T, axes>& points, double eps) {
    const host_grid<T, axes> grid(team, points, eps);
    std::array<int, axes> bits{};
    int all_bits = 0;
    for (int axis = 0; axis < axes; ++axis) {
      // One extra number on the last axis, for the points without a place.
      const std::uint64_t numbers = std::uint64_t{grid.largest(axis)} + (axis == axes - 1 ? 1 : 0);
      bits[axis] = std::bit_width(numbers);
      all_bits += bits[axis];
    }
    if (all_bits <= 32)
      group_by_keys(team, points, grid, bits, narrow_, narrow_spare_);
    else if (all_bits <= 64)
      group_by_keys(team, points, grid, bits, wide_, wide_spare_);
    else
      group_by_two_keys(team, points, grid);
  }

  [[nodiscard]] std::uint32_t points() const { return static_cast<std::uint32_t>(index_.size()); }
  [[nodiscard]] std::uint32_t cells() const { return static_cast<std::uint32_t>(x_.size()); }
  [[nodiscard]] std::uint32_t rows() const { return static_cast<std::uint32_t>(rows_.size()); }

  // The places of a cell's points are [begin(cell), begin(cell + 1)).
  [[nodiscard]] std::uint32_t begin(std::uint32_t cell) const { return begin_[cell]; }
  [[nodiscard]] std::uint32_t x(std::uint32_t cell) const { return x_[cell]; }
  // The cells of a row are [first_cell(row), first_cell(row + 1)).
  [[nodiscard]] std::uint32_t first_cell(std::uint32_t row) const { return first_cell_[row]; }
  // z and y of a row, z in the upper half.
  [[nodiscard]] std::uint64_t row_key(std::uint32_t row) const { return rows_[row]; }
  [[nodiscard]] const std::vector<std::uint64_t>& row_keys() const { return rows_; }
  [[nodiscard]] const std::vector<std::uint32_t>& first_cells() const { return first_cell_; }
  [[nodiscard]] const std::vector<std::uint32_t>& numbers_on_x() const { return x_; }

  // The caller's index of the point at a place; ascending within a cell.
  [[nodiscard]] std::uint32_t index(std::uint32_t place) const { return index_[place]; }
  [[nodiscard]] coordinates<T, axes> values() const {
    coordinates<T, axes> result;
    for (int axis = 0; axis < axes; ++axis) result[axis] = values_[axis].data();
    return result;
  }
  // From now on the point at this place is no point's neighbour.
  void take_out(std::uint32_t place) { values_[0][place] = std::numeric_limits<T>::quiet_NaN(); }

 private:
  struct cell_number {
    std::uint64_t row;
    std::uint32_t x;
  };

  template <typename Item>
  void group_by_keys(host_team& team, const points_view<T, axes>& points,
                     const host_grid<T, axes>& grid, const std::array<int, axes>& bits,
                     std::vector<Item>& items, std::vector<Item>& spare) {
    int above_x = 0;
    for (int axis = 1; axis < axes; ++axis) above_x += bits[axis];
    const int last_shift = bits[0] + above_x - bits[axes - 1];
    const std::uint64_t no_place = (std::uint64_t{grid.largest(axes - 1)} + 1) << last_shift;
    items.resize(points.size());
    team.for_ranges(points.size(), 16384, [&](std::size_t begin, std::size_t end, int) {
      for (std::size_t p = begin; p < end; ++p) {
        std::uint64_t key = no_place;
        if (grid.is_finite(p)) {
          key = 0;
          for (int axis = axes - 1; axis >= 0; --axis)
            key = key << bits[axis] | grid.number(p, axis);
        }
        items[p] = Item(key, static_cast<std::uint32_t>(p));
      }
    });
    radix_sort(team, items, spare, bits[0] + above_x);
    while (!items.empty() && items.back().key() == no_place) items.pop_back();
    const auto low = [](std::uint64_t key, int count) {
      return key & ((std::uint64_t{1} << count) - 1);
    };
    find_cells(items.size(), [&](std::size_t place) {
      const std::uint64_t key = items[place].key();
      const std::uint64_t row = key >> bits[0];
      const std::uint64_t row_key = row >> bits[1] << 32 | low(row, bits[1]);
      return cell_number{axes == 3 ? row_key : row, static_cast<std::uint32_t>(low(key, bits[0]))};
    });
    fetch(team, points, items);
  }

  // For numbers that do not fit into one key: sorts first by x, then by z and y.
  void group_by_two_keys(host_team& team, const points_view<T, axes>& points,
                         const host_grid<T, axes>& grid) {
    wide_.clear();
    for (std::size_t p = 0; p < points.size(); ++p)
      if (grid.is_finite(p)) wide_.emplace_back(grid.number(p, 0), static_cast<std::uint32_t>(p));
    radix_sort(team, wide_, wide_spare_, 32);
    for (wide_item& item : wide_) {
      std::uint64_t row = grid.number(item.number(), axes - 1);
      if constexpr (axes == 3) row = row << 32 | grid.number(item.number(), 1);
      item = wide_item(row, item.number());
    }
    radix_sort(team, wide_, wide_spare_, 64);
    find_cells(wide_.size(), [&](std::size_t place) {
      return cell_number{wide_[place].key(), grid.number(wide_[place].number(), 0)};
    });
    fetch(team, points, wide_);
  }

  template <typename CellOf>
  void find_cells(std::size_t count, CellOf cell_of) {
    begin_.clear();
    x_.clear();
    first_cell_.clear();
    rows_.clear();
    cell_number last{};
    for (std::size_t place = 0; place < count; ++place) {
      const cell_number cell = cell_of(place);
      const bool is_new_row = place == 0 || cell.row != last.row;
      if (!is_new_row && cell.x == last.x) continue;
      if (is_new_row) {
        first_cell_.push_back(static_cast<std::uint32_t>(x_.size()));
        rows_.push_back(cell.row);
      }
      begin_.push_back(static_cast<std::uint32_t>(place));
      x_.push_back(cell.x);
      last = cell;
    }
    begin_.push_back(static_cast<std::uint32_t>(count));
    first_cell_.push_back(static_cast<std::uint32_t>(x_.size()));
  }

  template <typename Item>
  void fetch(host_team& team, const points_view<T, axes>& points, const std::vector<Item>& items) {
    index_.resize(items.size());
    for (int axis = 0; axis < axes; ++axis) values_[axis].resize(items.size() + lanes_behind);
    team.for_ranges(items.size(), 8192, [&](std::size_t begin, std::size_t end, int) {
      for (std::size_t place = begin; place < end; ++place) {
        index_[place] = items[place].number();
        for (int axis = 0; axis < axes; ++axis)
          values_[axis][place] = points(items[place].number(), axis);
      }
    });
  }

  std::vector<std::uint32_t> begin_;
  std::vector<std::uint32_t> x_;
  std::vector<std::uint32_t> first_cell_;
  std::vector<std::uint64_t> rows_;
  std::vector<std::uint32_t> index_;
  std::array<std::vector<T>, axes> values_;
  std::vector<narrow_item> narrow_, narrow_spare_;
  std::vector<wide_item> wide_, wide_spare_;
};

}  // namespace heddle::cluster::detail
