// A point cloud with the attributes of its points.
#pragma once
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "cloud/scalar.hpp"

namespace heddle::cloud {

// An attribute of each point: intensity, colour, …
struct column {
  std::string name;
  scalar type = scalar::float32;
  std::size_t width = 1;  // values per point
  std::string values;     // point by point, as in memory
};

struct cloud {
  // x y z of each point, relative to the origin. Infinite coordinates and NaN stay as they are.
  std::vector<float> points;
  // The file's coordinates as doubles, x y z of each point, if floats cannot hold them all exactly.
  // Otherwise empty; then the origin is 0 and `points` has the file's coordinates.
  std::vector<double> exact;
  // Near the centre of the cloud if the coordinates are large compared to its extent (UTM).
  std::array<double, 3> origin{};
  std::vector<column> columns;

  [[nodiscard]] std::size_t size() const { return points.size() / 3; }

  // Fills in the doubles even if floats hold all coordinates exactly.
  void make_exact() {
    if (exact.empty()) exact.assign(points.begin(), points.end());
  }
};

}  // namespace heddle::cloud
