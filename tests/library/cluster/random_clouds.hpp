// Small clouds with hard cases: ties, duplicates, clumps far apart.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace heddle_test {

template <typename T>
struct random_cloud {
  std::vector<T> values;  // one point after another
  double eps;
  int min_points;
};

using random_source = std::mt19937_64;

inline double uniform(random_source& source, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(source);
}
inline int whole(random_source& source, int low, int high) {
  return std::uniform_int_distribution<int>(low, high)(source);
}

// A cloud of up to `most` points.
template <typename T, int axes>
random_cloud<T> make_random_cloud(random_source& source, int most) {
  random_cloud<T> cloud;
  const int count = whole(source, 0, 7) == 0 ? whole(source, 0, 3) : whole(source, 0, most);
  const int kind = whole(source, 0, 5);
  cloud.min_points = whole(source, 1, 12);
  const double unit = std::exp2(whole(source, 0, 3) == 0 ? whole(source, -30, 30) : 0);
  // Multiples of the grid's step and of its diagonals make many exact ties.
  constexpr double squares[] = {1, 2, 3, 4, 5, 6, 8, 9, 12, 27};
  cloud.eps = std::sqrt(squares[whole(source, 0, 9)]) * unit;
  if (kind >= 2) cloud.eps = std::exp(uniform(source, -4, 2)) * unit;
  const int extent = 1 + static_cast<int>(std::pow(count, 1.0 / axes) * uniform(source, 0.3, 3));
  const double spread = std::exp2(whole(source, 0, 60)) * cloud.eps;
  const double origin = whole(source, 0, 2) == 0 ? uniform(source, -1e6, 1e6) * unit : 0;
  for (int p = 0; p < count; ++p) {
    const int copy = p == 0 ? 0 : whole(source, 0, p - 1);
    const bool is_copy = p > 0 && whole(source, 0, 9) == 0;
    // A few bits choose one of the far places that clumps share on each axis.
    const int clump = whole(source, 0, 7);
    for (int axis = 0; axis < axes; ++axis) {
      double value = 0;
      if (kind == 0) value = whole(source, 0, extent) * unit;
      if (kind == 1) value = whole(source, 0, extent) * unit / 10;
      if (kind == 2) value = origin + uniform(source, 0, extent) * unit;
      if (kind == 3) value = origin + std::normal_distribution<double>(0, 1)(source) * cloud.eps;
      if (kind == 4) value = (clump >> axis & 1 ? spread : 0) + uniform(source, 0, 2) * cloud.eps;
      // Steps of about the edge of a cell, so that rounding decides on which side a point lies.
      if (kind == 5) value = origin + whole(source, -3, 6) * cloud.eps / std::sqrt(double{axes});
      cloud.values.push_back(is_copy ? cloud.values[static_cast<std::size_t>(copy * axes + axis)]
                                     : static_cast<T>(value));
    }
    if (whole(source, 0, 39) == 0) {
      constexpr T infinity = std::numeric_limits<T>::infinity();
      const T broken[] = {infinity, -infinity, std::numeric_limits<T>::quiet_NaN()};
      cloud.values[cloud.values.size() - static_cast<std::size_t>(whole(source, 1, axes))] =
          broken[whole(source, 0, 2)];
    }
  }
  return cloud;
}

}  // namespace heddle_test
