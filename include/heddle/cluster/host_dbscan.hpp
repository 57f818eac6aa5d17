// DBSCAN on the CPU, with exactly scikit-learn's labels, bit for bit, for any number of threads.
//   strategy    points are sorted into rows of cells; threads take cells in turn, walk the
//               surrounding rows with pointers that only move forward, and join cells by union-find
//   needs       a C++20 compiler; no CUDA
#pragma once
#include <heddle/cluster/host_core.hpp>
#include <heddle/cluster/host_labels.hpp>
#include <heddle/cluster/host_link.hpp>
#include <heddle/cluster/result.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace heddle::cluster {

// The options of a host_dbscan.
struct dbscan_options {
  int threads = 0;              // 0: one per processor
  bool with_statistics = true;  // size, centroid and box of each cluster
};

// Clusters one cloud after another: owns the threads and the memory, which it reuses.
//   called by   one thread at a time
template <typename T, int axes>
class host_dbscan {
 public:
  // Starts the threads.
  explicit host_dbscan(const dbscan_options& options = {})
      : options_(options), team_(options.threads) {}

  // Labels the points. Two points are neighbours if the squares of their differences, computed in
  // double and added in the order x, y, z, sum to at most eps * eps; a point is its own neighbour.
  // Core points have at least min_points neighbours; core points that are neighbours share a
  // cluster. Clusters are numbered by their smallest core point. Any other point belongs to the
  // smallest-numbered cluster with a core point among its neighbours, or is noise. Points with an
  // infinite or NaN coordinate are noise, and nobody's neighbours.
  //   eps         from 1e-150 to 1e150, so that its square neither overflows nor underflows
  //   min_points  at least 1
  //   throws      std::invalid_argument, std::length_error above 2^31 - 1 points, std::bad_alloc
  //   cost        few distances per point: none in cells of min_points points, and an early exit
  //               elsewhere
  void operator()(const points_view<T, axes>& points, double eps, int min_points,
                  dbscan_result<T, axes>& result) {
    check_request(points.size(), eps, min_points);
    result.labels.assign(points.size(), noise);
    result.is_core.assign(points.size(), 0);
    const detail::neighbour_rule<T, axes> rule(eps);
    cells_.group(team_, points, eps);
    find_core(rule, static_cast<std::uint32_t>(min_points));
    join_cells(rule);
    result.clusters =
        detail::number_clusters(team_, cells_, is_core_.data(), core_count_, sets_, cell_label_);
    label_points(points, rule, result);
    result.statistics.clear();
    if (options_.with_statistics) describe(points, result);
  }

 private:
  using box = detail::core_box<T, axes>;
  // Cells that a thread takes at a time.
  static constexpr std::size_t grain = 256;

  void find_core(const detail::neighbour_rule<T, axes>& rule, std::uint32_t min_points) {
    is_core_.resize(cells_.points());
    core_count_.resize(cells_.cells());
    team_.for_ranges(cells_.cells(), grain, [&](std::size_t begin, std::size_t end, int) {
      detail::core_search<T, axes> search(cells_, rule, min_points, is_core_.data());
      detail::for_cells(cells_, begin, end, [&](std::uint32_t row, std::uint32_t cell) {
        core_count_[cell] = search(row, cell);
      });
    });
    boxes_.resize(cells_.cells());
    // From here on only core points keep their coordinates.
    team_.for_ranges(cells_.cells(), 4 * grain, [&](std::size_t begin, std::size_t end, int) {
      for (auto cell = static_cast<std::uint32_t>(begin); cell < end; ++cell) {
        const std::uint32_t first = cells_.begin(cell), last = cells_.begin(cell + 1);
        if (core_count_[cell] < last - first)
          for (std::uint32_t place = first; place < last; ++place)
            if (!is_core_[place]) cells_.take_out(place);
        if (core_count_[cell] != 0) boxes_[cell] = box::around(cells_.values(), first, last);
      }
    });
  }

  void join_cells(const detail::neighbour_rule<T, axes>& rule) {
    sets_.reset(cells_.cells());
    team_.for_ranges(cells_.cells(), grain, [&](std::size_t begin, std::size_t end, int) {
      detail::cell_linker<T, axes> link(cells_, rule, boxes_, core_count_, sets_);
      detail::for_cells(cells_, begin, end, link);
    });
  }

  void label_points(const points_view<T, axes>& points, const detail::neighbour_rule<T, axes>& rule,
                    dbscan_result<T, axes>& result) {
    team_.for_ranges(cells_.cells(), grain, [&](std::size_t begin, std::size_t end, int) {
      detail::border_search<T, axes> search(points, cells_, rule, boxes_, cell_label_,
                                            is_core_.data());
      detail::for_cells(cells_, begin, end, [&](std::uint32_t row, std::uint32_t cell) {
        const std::uint32_t first = cells_.begin(cell), last = cells_.begin(cell + 1);
        for (std::uint32_t place = first; place < last; ++place) {
          if (!is_core_[place]) continue;
          result.labels[cells_.index(place)] = cell_label_[cell];
          result.is_core[cells_.index(place)] = 1;
        }
        if (core_count_[cell] < last - first) search(row, cell, result.labels.data());
      });
    });
  }

  void describe(const points_view<T, axes>& points, dbscan_result<T, axes>& result) {
    cluster_statistics<T, axes> nothing;
    nothing.low.fill(std::numeric_limits<T>::infinity());
    nothing.high.fill(-std::numeric_limits<T>::infinity());
    result.statistics.assign(static_cast<std::size_t>(result.clusters), nothing);
    for (std::size_t p = 0; p < points.size(); ++p) {
      if (result.labels[p] == noise) continue;
      auto& mine = result.statistics[static_cast<std::size_t>(result.labels[p])];
      ++mine.size;
      for (int axis = 0; axis < axes; ++axis) {
        const T value = points(p, axis);
        mine.centroid[axis] += static_cast<double>(value);
        mine.low[axis] = std::min(mine.low[axis], value);
        mine.high[axis] = std::max(mine.high[axis], value);
      }
    }
    for (auto& cluster : result.statistics)
      for (double& sum : cluster.centroid) sum /= cluster.size;
  }

  dbscan_options options_;
  detail::host_team team_;
  detail::host_cells<T, axes> cells_;
  std::vector<std::uint8_t> is_core_;      // per place
  std::vector<std::uint32_t> core_count_;  // per cell
  std::vector<box> boxes_;                 // per cell that has core points
  detail::cell_sets sets_;
  std::vector<std::int32_t> cell_label_;
};

// The same for one cloud.
template <typename T, int axes>
[[nodiscard]] dbscan_result<T, axes> dbscan(const points_view<T, axes>& points, double eps,
                                            int min_points, const dbscan_options& options = {}) {
  dbscan_result<T, axes> result;
  host_dbscan<T, axes> clustering(options);
  clustering(points, eps, min_points, result);
  return result;
}

}  // namespace heddle::cluster
