// Sizes, boxes and centroids of clusters, from their labels.
#pragma once
#include <gtest/gtest.h>
#include <heddle/cluster/result.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace heddle_test {

// `slack` is the fraction of a cluster's length by which its centroid may be off, besides rounding.
template <typename T, int axes>
void expect_true_statistics(const std::vector<T>& values,
                            const heddle::cluster::dbscan_result<T, axes>& result, double slack) {
  ASSERT_EQ(result.statistics.size(), static_cast<std::size_t>(result.clusters));
  for (std::int32_t cluster = 0; cluster < result.clusters; ++cluster) {
    const auto& computed = result.statistics[static_cast<std::size_t>(cluster)];
    for (int axis = 0; axis < axes; ++axis) {
      long double sum = 0, magnitude = 0;
      std::uint32_t size = 0;
      T low = std::numeric_limits<T>::max(), high = std::numeric_limits<T>::lowest();
      for (std::size_t p = 0; p < result.labels.size(); ++p) {
        if (result.labels[p] != cluster) continue;
        const T value = values[p * axes + static_cast<std::size_t>(axis)];
        sum += value;
        magnitude += std::fabs(static_cast<long double>(value));
        low = std::min(low, value);
        high = std::max(high, value);
        ++size;
      }
      ASSERT_EQ(computed.size, size);
      ASSERT_EQ(computed.low[axis], low);
      ASSERT_EQ(computed.high[axis], high);
      const double length = static_cast<double>(high) - static_cast<double>(low);
      ASSERT_NEAR(computed.centroid[axis], static_cast<double>(sum / size),
                  static_cast<double>(magnitude / size) * 1e-12 + length * slack);
    }
  }
}

}  // namespace heddle_test
