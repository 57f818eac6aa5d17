// DBSCAN by its definition: compares every point with every other one.
#pragma once
#include <heddle/cluster/host_dbscan.hpp>

#include <cmath>
#include <cstdint>
#include <vector>

namespace heddle_test {

struct labelling {
  std::vector<std::int32_t> labels;
  std::vector<std::uint8_t> is_core;
  std::int32_t clusters = 0;
};

template <typename T, int axes>
bool are_neighbours(const std::vector<T>& values, std::size_t a, std::size_t b, double eps) {
  volatile double sum = 0;
  for (int axis = 0; axis < axes; ++axis) {
    const double one = values[a * axes + axis], other = values[b * axes + axis];
    if (!std::isfinite(one) || !std::isfinite(other)) return false;
    const volatile double square = (one - other) * (one - other);
    sum = sum + square;
  }
  return sum <= eps * eps;
}

// Points are stored one after another, as in interleaved_points.
template <typename T, int axes>
labelling brute_force(const std::vector<T>& values, double eps, int min_points) {
  const std::size_t count = values.size() / axes;
  labelling result;
  result.labels.assign(count, -1);
  result.is_core.assign(count, 0);
  for (std::size_t one = 0; one < count; ++one) {
    int neighbours = 0;
    for (std::size_t other = 0; other < count; ++other)
      neighbours += are_neighbours<T, axes>(values, one, other, eps);
    result.is_core[one] = neighbours >= min_points;
  }
  // Clusters grow from their smallest core point, in this order; a border point joins the first
  // cluster that reaches it.
  for (std::size_t seed = 0; seed < count; ++seed) {
    if (!result.is_core[seed] || result.labels[seed] != -1) continue;
    std::vector<std::size_t> open = {seed};
    result.labels[seed] = result.clusters;
    while (!open.empty()) {
      const std::size_t one = open.back();
      open.pop_back();
      for (std::size_t other = 0; other < count; ++other) {
        if (result.labels[other] != -1 || !are_neighbours<T, axes>(values, one, other, eps))
          continue;
        result.labels[other] = result.clusters;
        if (result.is_core[other]) open.push_back(other);
      }
    }
    ++result.clusters;
  }
  return result;
}

}  // namespace heddle_test
