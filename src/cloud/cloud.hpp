// A cloud of points and what its file says about them besides.
#pragma once
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "cloud/scalar.hpp"

namespace heddle::cloud {

// Values that each point has: its intensity, its colour, …
struct column {
  std::string name;
  scalar type = scalar::float32;
  std::size_t width = 1;  // values for each point
  std::string values;     // point by point, as they are in memory
};

struct cloud {
  // x y z of each point, less the origin. Coordinates that are infinite or not a number stay so.
  std::vector<float> points;
  // The file's own coordinates as doubles, x y z of each point, where floats do not say them all
  // exactly; else empty, and then the origin is 0 and `points` are the file's own.
  std::vector<double> exact;
  // Where the file's coordinates are large for the extent of the cloud (UTM), about its centre.
  std::array<double, 3> origin{};
  std::vector<column> columns;

  [[nodiscard]] std::size_t size() const { return points.size() / 3; }

  // Has the coordinates as doubles even where floats say them all.
  void make_exact() {
    if (exact.empty()) exact.assign(points.begin(), points.end());
  }
};

}  // namespace heddle::cloud
