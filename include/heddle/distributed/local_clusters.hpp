// The part of a clustering that a rank does alone, on its points and its copies of others' points.
#pragma once
#include <heddle/cluster/host_core.hpp>
#include <heddle/cluster/host_labels.hpp>
#include <heddle/cluster/host_link.hpp>

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace heddle::distributed::detail {

inline constexpr std::uint32_t no_point = std::numeric_limits<std::uint32_t>::max();

// The steps of DBSCAN on points of which the first `owned` belong to this rank and have all their
// neighbours here; the others are copies. Between the steps the ranks exchange what only the owner
// of a point knows. A piece is a set of cells whose core points are known to be connected.
//   called by   one thread; each step once, in the order of declaration
template <typename T, int axes>
class local_clusters {
 public:
  explicit local_clusters(int threads) : team_(threads) {}

  // Finds the core points among the own ones.
  void find_core(const cluster::points_view<T, axes>& points, std::uint32_t owned, double eps,
                 int min_points) {
    points_ = points;
    owned_ = owned;
    rule_ = cluster::detail::neighbour_rule<T, axes>(eps);
    cells_.group(team_, points, eps);
    is_core_.assign(cells_.points(), 0);
    team_.for_ranges(cells_.cells(), grain, [&](std::size_t begin, std::size_t end, int) {
      cluster::detail::core_search<T, axes> search(
          cells_, rule_, static_cast<std::uint32_t>(min_points), is_core_.data());
      cluster::detail::for_cells(cells_, begin, end, [&](std::uint32_t row, std::uint32_t cell) {
        if (has_own(cell)) search(row, cell);
      });
    });
  }

  // Writes for each own point whether it is core.
  void write_core(std::span<std::uint8_t> is_core) const {
    for (std::uint32_t place = 0; place < cells_.points(); ++place)
      if (cells_.index(place) < owned_) is_core[cells_.index(place)] = is_core_[place];
  }

  // The part of the next step that does not depend on which copies are core.
  void keep_core_of_own_cells() {
    core_count_.assign(cells_.cells(), 0);
    boxes_.resize(cells_.cells());
    team_.for_ranges(cells_.cells(), 4 * grain, [&](std::size_t begin, std::size_t end, int) {
      for (auto cell = static_cast<std::uint32_t>(begin); cell < end; ++cell)
        if (!has_copies(cell)) keep_core_of(cell);
    });
  }

  // Connects cells whose core points are neighbours, given which copies are core.
  void join(std::span<const std::uint8_t> copy_is_core) {
    team_.for_ranges(cells_.cells(), 4 * grain, [&](std::size_t begin, std::size_t end, int) {
      for (auto cell = static_cast<std::uint32_t>(begin); cell < end; ++cell) {
        if (!has_copies(cell)) continue;
        for (std::uint32_t place = cells_.begin(cell); place < cells_.begin(cell + 1); ++place)
          if (const std::uint32_t index = cells_.index(place); index >= owned_)
            is_core_[place] = copy_is_core[index - owned_];
        keep_core_of(cell);
      }
    });
    sets_.reset(cells_.cells());
    team_.for_ranges(cells_.cells(), grain, [&](std::size_t begin, std::size_t end, int) {
      cluster::detail::cell_linker<T, axes> link(cells_, rule_, boxes_, core_count_, sets_);
      cluster::detail::for_cells(cells_, begin, end, link);
    });
    find_pieces();
  }

  [[nodiscard]] std::uint32_t pieces() const {
    return static_cast<std::uint32_t>(first_own_core_.size());
  }
  // The smallest own core point of a piece; no_point if all its core points are copies.
  [[nodiscard]] std::uint32_t first_own_core(std::uint32_t piece) const {
    return first_own_core_[piece];
  }

  // Writes the piece of each core point, own or copy; the entries of other points stay unchanged.
  void write_pieces(std::span<std::uint32_t> piece_of_point) const {
    for (std::uint32_t cell = 0; cell < cells_.cells(); ++cell)
      for (std::uint32_t place = cells_.begin(cell); place < cells_.begin(cell + 1); ++place)
        if (is_core_[place]) piece_of_point[cells_.index(place)] = piece_[cell];
  }

  // Labels the own points, given the cluster of each piece. After these, `labels` needs room for
  // the copies.
  void label(std::span<const std::int32_t> cluster_of_piece, std::span<std::int32_t> labels) {
    std::vector<std::int32_t> cell_label(cells_.cells(), cluster::noise);
    for (std::uint32_t cell = 0; cell < cells_.cells(); ++cell)
      if (core_count_[cell] != 0) cell_label[cell] = cluster_of_piece[piece_[cell]];
    team_.for_ranges(cells_.cells(), grain, [&](std::size_t begin, std::size_t end, int) {
      cluster::detail::border_search<T, axes> search(points_, cells_, rule_, boxes_, cell_label,
                                                     is_core_.data());
      cluster::detail::for_cells(cells_, begin, end, [&](std::uint32_t row, std::uint32_t cell) {
        if (!has_own(cell)) return;
        const std::uint32_t first = cells_.begin(cell), last = cells_.begin(cell + 1);
        for (std::uint32_t place = first; place < last; ++place)
          if (is_core_[place]) labels[cells_.index(place)] = cell_label[cell];
        if (core_count_[cell] < last - first) search(row, cell, labels.data());
      });
    });
  }

 private:
  // Cells that a thread takes at a time.
  static constexpr std::size_t grain = 256;

  // Own points come before copies, and indices ascend within a cell.
  [[nodiscard]] bool has_own(std::uint32_t cell) const {
    return cells_.index(cells_.begin(cell)) < owned_;
  }

  [[nodiscard]] bool has_copies(std::uint32_t cell) const {
    return cells_.index(cells_.begin(cell + 1) - 1) >= owned_;
  }

  // From here on only the cell's core points keep their coordinates.
  void keep_core_of(std::uint32_t cell) {
    const std::uint32_t first = cells_.begin(cell), last = cells_.begin(cell + 1);
    for (std::uint32_t place = first; place < last; ++place) {
      if (is_core_[place])
        ++core_count_[cell];
      else
        cells_.take_out(place);
    }
    if (core_count_[cell] != 0)
      boxes_[cell] = cluster::detail::core_box<T, axes>::around(cells_.values(), first, last);
  }

  void find_pieces() {
    piece_.assign(cells_.cells(), no_point);
    first_own_core_.clear();
    for (std::uint32_t cell = 0; cell < cells_.cells(); ++cell) {
      if (core_count_[cell] == 0) continue;
      // A root is the smallest cell of its set, so it has its piece before the others read it.
      const std::uint32_t root = sets_.find(cell);
      if (root == cell) {
        piece_[cell] = pieces();
        first_own_core_.push_back(no_point);
      }
      piece_[cell] = piece_[root];
      std::uint32_t place = cells_.begin(cell);
      while (!is_core_[place]) ++place;
      std::uint32_t& smallest = first_own_core_[piece_[cell]];
      if (cells_.index(place) < owned_) smallest = std::min(smallest, cells_.index(place));
    }
  }

  cluster::detail::host_team team_;
  cluster::points_view<T, axes> points_;
  std::uint32_t owned_ = 0;
  cluster::detail::neighbour_rule<T, axes> rule_{1};
  cluster::detail::host_cells<T, axes> cells_;
  std::vector<std::uint8_t> is_core_;      // per place
  std::vector<std::uint32_t> core_count_;  // per cell
  std::vector<cluster::detail::core_box<T, axes>> boxes_;
  cluster::detail::cell_sets sets_;
  std::vector<std::uint32_t> piece_;           // per cell that has core points
  std::vector<std::uint32_t> first_own_core_;  // per piece
};

}  // namespace heddle::distributed::detail
