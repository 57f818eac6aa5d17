// Finds the cells around a cell with pointers that only move forward.
#pragma once
#include <heddle/cluster/host_cells.hpp>

#include <algorithm>
#include <array>
#include <cstdint>

namespace heddle::cluster::detail {

// Cells [begin, end) of one row.
struct cell_range {
  std::uint32_t begin;
  std::uint32_t end;
};

// Walks along the cells of a row and knows, for each row around it, which cells are in reach: those
// whose numbers differ by at most 2 on each axis. With `earlier_only`, of two cells in reach of
// each other only the later one sees the other.
//   cost        a step for each row and each cell passed; binary searches at the beginning and in
//               long rows
template <typename T, int axes, bool earlier_only>
class row_walk {
 public:
  explicit row_walk(const host_cells<T, axes>& cells) : cells_(cells) {}

  // Moves to a row, starting at one of its cells; rows must come in ascending order. The row itself
  // is not one of those around it.
  void enter(std::uint32_t row, std::uint32_t cell) {
    if (row == row_) return;
    row_ = row;
    count_ = 0;
    std::array<cell_range, 5 * 5> found;
    found.fill({0, 0});
    const std::uint64_t z = cells_.row_key(row) >> 32;
    const std::uint64_t y = cells_.row_key(row) & 0xffffffff;
    constexpr int z_reach = axes == 3 ? 2 : 0;
    for (int dz = -z_reach; dz <= (earlier_only ? 0 : z_reach); ++dz) {
      if (dz < 0 && z < static_cast<std::uint64_t>(-dz)) continue;
      const std::uint64_t plane = (z + static_cast<std::uint64_t>(dz)) << 32;
      const std::uint64_t lowest = plane | (y < 2 ? 0 : y - 2);
      const std::uint64_t highest = plane | std::min<std::uint64_t>(y + 2, 0xffffffff);
      std::uint32_t& other = next_row_[dz + 2];
      if (is_fresh_) other = first_row_from(lowest);
      while (other < cells_.rows() && cells_.row_key(other) < lowest) ++other;
      for (std::uint32_t at = other; at < cells_.rows() && cells_.row_key(at) <= highest; ++at) {
        const int dy = static_cast<int>((cells_.row_key(at) & 0xffffffff) - y);
        if (earlier_only ? at >= row : at == row) continue;
        found[nearness[(dz + 2) * 5 + dy + 2]] = from(at, cell);
      }
    }
    is_fresh_ = false;
    for (const cell_range& one : found)
      if (one.begin < one.end) around_[count_++] = one;
    own_ = from(row, cell);
  }

  // The number of non-empty rows around this one, nearest first.
  [[nodiscard]] int count() const { return count_; }
  // The cells of one of these rows that are in reach of `cell`; cells must come in ascending order.
  [[nodiscard]] cell_range reach(int which, std::uint32_t cell) {
    return advance(around_[which], cells_.x(cell));
  }
  // The cells of the walk's own row that are in reach of `cell`, including itself unless
  // `earlier_only`.
  [[nodiscard]] cell_range own_reach(std::uint32_t cell) {
    const cell_range all = advance(own_, cells_.x(cell));
    return earlier_only ? cell_range{all.begin, cell} : all;
  }

 private:
  // The ranks of the rows around (0, 0) by distance, at (dz + 2) * 5 + dy + 2.
  static constexpr std::array<int, 25> nearness = {21, 13, 9,  14, 22, 15, 5,  1,  6,  16, 10, 2, 0,
                                                   3,  11, 17, 7,  4,  8,  18, 23, 19, 12, 20, 24};

  // The rest of a row, from the first cell that may be in reach.
  [[nodiscard]] cell_range from(std::uint32_t row, std::uint32_t cell) const {
    const std::uint32_t first = cells_.first_cell(row), end = cells_.first_cell(row + 1);
    // Walking a short row costs less than a search in it.
    if (end - first < 32) return {first, end};
    const auto x = cells_.numbers_on_x().begin();
    const auto found = std::lower_bound(x + first, x + end, lowest_in_reach(cells_.x(cell)));
    return {static_cast<std::uint32_t>(found - x), end};
  }

  [[nodiscard]] std::uint32_t first_row_from(std::uint64_t key) const {
    const auto& keys = cells_.row_keys();
    return static_cast<std::uint32_t>(std::lower_bound(keys.begin(), keys.end(), key) -
                                      keys.begin());
  }

  static std::uint32_t lowest_in_reach(std::uint32_t x) { return x < 2 ? 0 : x - 2; }

  cell_range advance(cell_range& row, std::uint32_t x) {
    const std::uint32_t lowest = lowest_in_reach(x);
    while (row.begin < row.end && cells_.x(row.begin) < lowest) ++row.begin;
    std::uint32_t end = row.begin;
    while (end < row.end && cells_.x(end) <= x + 2) ++end;
    return {row.begin, end};
  }

  const host_cells<T, axes>& cells_;
  bool is_fresh_ = true;
  std::uint32_t row_ = 0xffffffff;
  std::array<std::uint32_t, 5> next_row_{};  // for each z in reach; only moves forward
  int count_ = 0;
  cell_range own_{};
  std::array<cell_range, 25> around_;
};

// The row that a cell is in.
template <typename T, int axes>
[[nodiscard]] std::uint32_t row_of(const host_cells<T, axes>& cells, std::uint32_t cell) {
  const auto& first = cells.first_cells();
  return static_cast<std::uint32_t>(std::upper_bound(first.begin(), first.end(), cell) -
                                    first.begin() - 1);
}

// Calls visit(row, cell) for the cells [begin, end) in order.
template <typename T, int axes, typename Visit>
void for_cells(const host_cells<T, axes>& cells, std::size_t begin, std::size_t end, Visit visit) {
  std::uint32_t row = row_of(cells, static_cast<std::uint32_t>(begin));
  for (auto cell = static_cast<std::uint32_t>(begin); cell < end; ++cell) {
    if (cell == cells.first_cell(row + 1)) ++row;
    visit(row, cell);
  }
}

}  // namespace heddle::cluster::detail
