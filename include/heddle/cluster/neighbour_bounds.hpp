// Limits on the squared distance of neighbours, for the exact rule and for a test in the points'
// type.
#pragma once
#include <limits>

namespace heddle::cluster::detail {

// Bounds of squared distances. With unit roundoff u, the test in the points' type T has these
// errors: a factor of 1 + u in a difference, (1 + u)^3 in its square, (1 + u)^5 in a sum of three
// squares, or less where the compiler contracts. The rule itself, in double, is off by
// (1 + 2^-53)^5. So a sum of at most (1 - 16 u) eps^2 means neighbours by the rule, one above
// (1 + 16 u) eps^2 does not, and only sums in between need the rule.
template <typename T>
struct neighbour_bounds {
  double exactly;  // for the rule
  T surely;        // computed in T: all up to it are within eps
  T perhaps;       // computed in T: none above it are

  explicit neighbour_bounds(double eps) : exactly(eps * eps) {
    constexpr double slack = 16 * static_cast<double>(std::numeric_limits<T>::epsilon()) / 2;
    // Where squares in T could overflow or lose digits to underflow, the rule decides everything.
    constexpr bool is_narrow = sizeof(T) < sizeof(double);
    const bool is_in_range = !is_narrow || (exactly > 1e-30 && exactly < 1e30);
    surely = is_in_range ? static_cast<T>(exactly * (1 - slack)) : T(-1);
    perhaps =
        is_in_range ? static_cast<T>(exactly * (1 + slack)) : std::numeric_limits<T>::infinity();
  }
};

}  // namespace heddle::cluster::detail
