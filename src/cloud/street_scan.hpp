// Generates a street scan by a lidar with 64 beams: ground, walls, cars, poles and people.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

namespace heddle::cloud {

// Boxes on the ground around the scanner, which is at the origin, 1.8 m above the ground.
class street {
 public:
  explicit street(std::uint64_t seed) : source_(seed) {
    for (int side = -1; side <= 1; side += 2) {
      // Houses with gaps between them, then cars, poles and people in front of them.
      for (double x = -90; x < 90; x += uniform(14, 30)) add(x + 6, side * 12.0, 12, 4, 9);
      for (double x = -70; x < 70; x += uniform(5, 12)) add(x, side * 5.5, 4.4, 1.8, 1.5);
      for (double x = -80; x < 80; x += 20) add(x, side * 8.0, 0.2, 0.2, 6);
      for (int person = 0; person < 12; ++person)
        add(uniform(-40, 40), side * uniform(7, 8.5), 0.5, 0.4, 1.75);
    }
  }

  // x y z of each hit, beam by beam; rays that hit nothing within 100 m give no point.
  std::vector<float> scan(std::size_t points) {
    constexpr int beams = 64;
    const auto steps = points / 45 + 16;
    std::vector<float> values;
    for (std::size_t step = 0; values.size() < 3 * points; ++step) {
      const double turn =
          2 * std::numbers::pi * static_cast<double>(step) / static_cast<double>(steps);
      for (int beam = 0; beam < beams && values.size() < 3 * points; ++beam) {
        const double rise = (2 - 26.8 * beam / (beams - 1)) * std::numbers::pi / 180;
        const std::array<double, 3> ray = {std::cos(rise) * std::cos(turn),
                                           std::cos(rise) * std::sin(turn), std::sin(rise)};
        const double length = hit(ray) + std::normal_distribution<double>(0, 0.015)(source_);
        if (!(length < 100)) continue;
        for (const double part : ray) values.push_back(static_cast<float>(part * length));
      }
    }
    return values;
  }

 private:
  struct box {
    std::array<double, 3> low, high;
  };
  static constexpr double ground = -1.8;

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(source_);
  }
  void add(double x, double y, double length, double width, double height) {
    boxes_.push_back({{x - length / 2, y - width / 2, ground},
                      {x + length / 2, y + width / 2, ground + height}});
  }

  // The distance to the first obstacle of a ray.
  [[nodiscard]] double hit(const std::array<double, 3>& ray) const {
    double nearest = ray[2] < 0 ? ground / ray[2] : std::numeric_limits<double>::infinity();
    for (const box& one : boxes_) {
      double enter = 0, leave = nearest;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const double a = one.low[axis] / ray[axis], b = one.high[axis] / ray[axis];
        enter = std::max(enter, std::min(a, b));
        leave = std::min(leave, std::max(a, b));
      }
      if (enter < leave) nearest = enter;
    }
    return nearest;
  }

  std::mt19937_64 source_;
  std::vector<box> boxes_;
};

}  // namespace heddle::cloud
