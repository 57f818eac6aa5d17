// How far neighbours are apart at most, as the rule has it and as a test in the points' own type
// can say.
#pragma once
#include <limits>

namespace heddle::cluster {

// Bounds of squared distances. The test in the points' own type T, with unit roundoff u: a
// difference is off by a factor 1 + u, its square by (1 + u)^3, a sum of three squares by
// (1 + u)^5, or less where the compiler contracts. The rule itself, which is for doubles, is off by
// (1 + 2^-53)^5. So a sum of at most (1 - 16 u) eps^2 is a neighbour by the rule, one above
// (1 + 16 u) eps^2 is not, and only what lies between has to be asked the rule.
template <typename T>
struct neighbour_bounds {
  double exactly;  // of the rule
  T surely;        // computed in T: all up to it are within eps
  T perhaps;       // none above it is

  explicit neighbour_bounds(double eps) : exactly(eps * eps) {
    constexpr double slack = 16 * static_cast<double>(std::numeric_limits<T>::epsilon()) / 2;
    // Where squares in T could overflow or lose digits to underflow, everything is asked the rule.
    constexpr bool is_narrow = sizeof(T) < sizeof(double);
    const bool is_in_range = !is_narrow || (exactly > 1e-30 && exactly < 1e30);
    surely = is_in_range ? static_cast<T>(exactly * (1 - slack)) : T(-1);
    perhaps =
        is_in_range ? static_cast<T>(exactly * (1 + slack)) : std::numeric_limits<T>::infinity();
  }
};

}  // namespace heddle::cluster
