// device_dbscan on two cells of many points about eps apart, where bounding boxes do not help:
// sheets that face each other, oblique to the axes.
#include <gtest/gtest.h>
#include <heddle/cluster/dbscan.cuh>

#include <algorithm>
#include <numbers>
#include <vector>

#include "cluster/brute_force.hpp"
#include "cluster/random_clouds.hpp"
#include "support/samples.cuh"

namespace {
using namespace heddle::cluster;
using namespace heddle_test;

// Points of a sheet z = x in one cell for eps = 1, and of the same sheet moved by `apart` along its
// normal, in another cell. With two axes the sheet is a line y = x.
template <typename T, int axes>
class facing_sheets {
 public:
  facing_sheets(random_source& source, int points_of_one, int points_of_other, double apart) {
    for (int point = 0; point < points_of_one + points_of_other; ++point)
      add(uniform(source, 0.72, 1.02), uniform(source, 0.01, 0.56),
          point < points_of_one ? 0 : apart);
  }

  // A point of the first sheet, and one a little less than eps away; hardly any other pair is.
  void add_bridge(random_source& source) {
    const double along = uniform(source, 0.72, 1.02), across = uniform(source, 0.01, 0.56);
    add(along, across, 0);
    add(along, across, 0.99999);
  }

  std::vector<T> values;

 private:
  void add(double along, double across, double apart) {
    const double moved = apart / std::numbers::sqrt2;
    values.push_back(static_cast<T>(along - moved));
    if (axes == 3) values.push_back(static_cast<T>(across));
    values.push_back(static_cast<T>(along + moved));
  }
};

// Shuffles, so that any few points are from both sheets.
template <typename T, int axes>
void mix(random_source& source, std::vector<T>& values) {
  const std::size_t count = values.size() / axes;
  for (std::size_t point = count; point-- > 1;) {
    const auto other = static_cast<std::size_t>(whole(source, 0, static_cast<int>(point)));
    std::swap_ranges(&values[point * axes], &values[point * axes] + axes, &values[other * axes]);
  }
}

template <typename T, int axes>
void compare_sheets() {
  HEDDLE_NAME_SEED();
  random_source source(seed() + axes * 100 + sizeof(T));
  device_dbscan<T, axes> clustering;
  const int sizes[][2] = {{300, 300}, {700, 90}, {5, 1100}, {600, 450}};
  for (const auto& [one, other] : sizes)
    for (int kind = 0; kind < 8; ++kind) {
      const double apart = kind < 2 ? 0.98 : kind < 4 ? 1.02 : 1.0001;
      const bool is_mixed = kind % 2 != 0, has_bridge = kind >= 6;
      SCOPED_TRACE(std::to_string(one) + " and " + std::to_string(other) + " points, kind " +
                   std::to_string(kind));
      facing_sheets<T, axes> cloud(source, one, other, apart);
      if (has_bridge) cloud.add_bridge(source);
      if (is_mixed) mix<T, axes>(source, cloud.values);
      const auto expected = brute_force<T, axes>(cloud.values, 1.0, 3);
      ASSERT_EQ(expected.clusters, apart > 1 && !has_bridge ? 2 : 1) << "of the definition";
      const auto result = clustering.of_host_points(
          interleaved_points<axes>(cloud.values.data(), cloud.values.size() / axes), 1.0, 3);
      ASSERT_EQ(result.labels, expected.labels);
    }
}

TEST(device_dbscan_of_facing_sheets, labels_floats_as_defined) { compare_sheets<float, 3>(); }
TEST(device_dbscan_of_facing_sheets, labels_doubles_as_defined) { compare_sheets<double, 3>(); }
TEST(device_dbscan_of_facing_sheets, labels_lines_as_defined) { compare_sheets<float, 2>(); }

}  // namespace
