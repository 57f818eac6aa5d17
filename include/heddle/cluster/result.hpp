// The requests and results of a clustering, on the CPU and on a GPU.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

namespace heddle::cluster {

inline constexpr std::int32_t noise = -1;  // the label of a point that is in no cluster

// A description of a cluster's points, core and border.
template <typename T, int axes>
struct cluster_statistics {
  std::uint32_t size = 0;
  std::array<double, axes> centroid{};  // sums in double, in the order of the points
  std::array<T, axes> low{};
  std::array<T, axes> high{};
};

// The result of a clustering. Reused for several clouds, it also reuses its memory.
template <typename T, int axes>
struct dbscan_result {
  std::vector<std::int32_t> labels;                     // for each point its cluster, or noise
  std::vector<std::uint8_t> is_core;                    // for each point 1 or 0
  std::int32_t clusters = 0;                            // how many there are
  std::vector<cluster_statistics<T, axes>> statistics;  // for each cluster, if asked for
};

// Throws unless the arguments of a clustering are valid.
//   eps         from 1e-150 to 1e150, so that its square neither overflows nor underflows
//   min_points  at least 1
//   points      up to 2^31 - 1
inline void check_request(std::size_t points, double eps, int min_points) {
  if (!(eps >= 1e-150 && eps <= 1e150))
    throw std::invalid_argument("heddle::cluster: eps must lie between 1e-150 and 1e150");
  if (min_points < 1) throw std::invalid_argument("heddle::cluster: min_points must be at least 1");
  if (points > std::numeric_limits<std::int32_t>::max())
    throw std::length_error("heddle::cluster: more than 2^31 - 1 points");
}

}  // namespace heddle::cluster
