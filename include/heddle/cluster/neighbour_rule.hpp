// Which points are neighbours: the rule, and a fast test that falls back on it when in doubt.
#pragma once
#include <heddle/cluster/neighbour_bounds.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace heddle::cluster::detail {

// The coordinates of one point.
template <typename T, int axes>
using point = std::array<T, axes>;

// One array of coordinates per axis, readable for `lanes_behind` values past the last point.
template <typename T, int axes>
using coordinates = std::array<const T*, axes>;
inline constexpr std::size_t lanes_behind = 4;

// The rule, which is scikit-learn's: two points are neighbours if the sum of the squared
// differences, computed in double and added in the order x, y, z, is at most eps * eps. The rule is
// symmetric and monotone: if every difference grows, so does the sum.
template <typename T, int axes>
class neighbour_rule {
 public:
  explicit neighbour_rule(double eps) : bounds_(eps) {}

  [[nodiscard]] bool operator()(const point<T, axes>& a, const point<T, axes>& b) const {
    double sum = 0;
    for (int axis = 0; axis < axes; ++axis) {
      const double difference = static_cast<double>(a[axis]) - static_cast<double>(b[axis]);
      // Through memory, so that no compiler fuses the product and the sum into one rounding.
      const volatile double square = difference * difference;
      sum += square;
    }
    return sum <= bounds_.exactly;
  }

  // Squared distances in T: all up to `surely` are within eps, none above `perhaps` are.
  [[nodiscard]] T surely() const { return bounds_.surely; }
  [[nodiscard]] T perhaps() const { return bounds_.perhaps; }

  // How many of the points [begin, end) are neighbours of `one`. Points with a NaN coordinate are
  // nobody's neighbours.
  [[nodiscard]] std::uint32_t count(const point<T, axes>& one, const coordinates<T, axes>& all,
                                    std::uint32_t begin, std::uint32_t end) const {
    lanes_of_bits sure{}, possible{};
    std::uint32_t at = begin;
    for (; at + lanes <= end; at += lanes) {
      const lanes_of_values sum = squared_distances(one, all, at);
      sure -= sum <= bounds_.surely;
      possible -= sum <= bounds_.perhaps;
    }
    if (at < end) {
      const lanes_of_values sum = squared_distances(one, all, at);
      const lanes_of_bits is_in = first_lanes(end - at);
      sure -= (sum <= bounds_.surely) & is_in;
      possible -= (sum <= bounds_.perhaps) & is_in;
    }
    const std::uint32_t found = total(sure);
    return found == total(possible) ? found : count_by_rule(one, all, begin, end);
  }

  // Whether one of the points [begin, end) is a neighbour of `one`.
  [[nodiscard]] bool any(const point<T, axes>& one, const coordinates<T, axes>& all,
                         std::uint32_t begin, std::uint32_t end) const {
    for (std::uint32_t at = begin; at < end; at += lanes) {
      const lanes_of_values sum = squared_distances(one, all, at);
      const lanes_of_bits possible =
          (sum <= bounds_.perhaps) & first_lanes(end - at < lanes ? end - at : lanes);
      if (total(possible) == 0) continue;
      for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        if (possible[lane] == 0) continue;
        if (sum[lane] <= bounds_.surely || (*this)(one, at_place(all, at + lane))) return true;
      }
    }
    return false;
  }

  static point<T, axes> at_place(const coordinates<T, axes>& all, std::size_t place) {
    point<T, axes> result;
    for (int axis = 0; axis < axes; ++axis) result[axis] = all[axis][place];
    return result;
  }

 private:
  static constexpr std::uint32_t lanes = 16 / sizeof(T);
  using bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  typedef T lanes_of_values __attribute__((vector_size(16)));
  typedef bits lanes_of_bits __attribute__((vector_size(16)));
  static_assert(lanes <= lanes_behind);

  static lanes_of_values squared_distances(const point<T, axes>& one,
                                           const coordinates<T, axes>& all, std::uint32_t at) {
    lanes_of_values sum{};
    for (int axis = 0; axis < axes; ++axis) {
      lanes_of_values values;
      std::memcpy(&values, all[axis] + at, sizeof values);
      const lanes_of_values difference = values - one[axis];
      sum += difference * difference;
    }
    return sum;
  }

  // Ones in the first `count` lanes, zeros in the others.
  static lanes_of_bits first_lanes(std::uint32_t count) {
    static constexpr bits ones_then_zeros[2 * lanes_behind] = {-1, -1, -1, -1, 0, 0, 0, 0};
    lanes_of_bits result;
    std::memcpy(&result, ones_then_zeros + lanes_behind - count, sizeof result);
    return result;
  }

  static std::uint32_t total(const lanes_of_bits& counts) {
    bits sum = 0;
    for (std::uint32_t lane = 0; lane < lanes; ++lane) sum += counts[lane];
    return static_cast<std::uint32_t>(sum);
  }

  [[nodiscard, gnu::noinline]] std::uint32_t count_by_rule(const point<T, axes>& one,
                                                           const coordinates<T, axes>& all,
                                                           std::uint32_t begin,
                                                           std::uint32_t end) const {
    std::uint32_t found = 0;
    for (std::uint32_t at = begin; at < end; ++at) found += (*this)(one, at_place(all, at));
    return found;
  }

  neighbour_bounds<T> bounds_;
};

}  // namespace heddle::cluster::detail
