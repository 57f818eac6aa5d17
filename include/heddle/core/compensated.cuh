// A compensated sum: it keeps track of the rounding errors of its additions.
#pragma once
#include <heddle/core/config.cuh>
#include <heddle/core/operators.cuh>

#include <type_traits>

namespace heddle {

namespace detail {

// An addition that the compiler neither reorders nor fuses, whatever its options.
[[nodiscard]] __device__ inline float rounded_sum(float a, float b) { return __fadd_rn(a, b); }
[[nodiscard]] __device__ inline double rounded_sum(double a, double b) { return __dadd_rn(a, b); }

}  // namespace detail

// A running sum. `sum` is rounded at every step; `correction` accumulates the rounding errors.
template <typename T>
struct compensated {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>,
                "a compensated sum is one of float or double; add shorter types in float");
  T sum = 0;
  T correction = 0;

  // Adds one value, as merge() would with a correction of zero.
  //   cost     seven additions
  __device__ void add(T value) { correction = detail::rounded_sum(correction, add_exactly(value)); }

  // Adds another compensated sum.
  //   cost     eight additions
  //   order    commutes bit for bit; associative up to the rounding of the corrections
  __device__ void merge(const compensated& other) {
    const T corrections = detail::rounded_sum(correction, other.correction);
    correction = detail::rounded_sum(corrections, add_exactly(other.sum));
  }
  friend __device__ compensated operator+(compensated a, const compensated& b) {
    a.merge(b);
    return a;
  }

  // Sum plus correction, rounded once. If an infinity or NaN was added, or the sum overflowed, this
  // is the result of plain addition.
  __device__ T value() const {
    const T total = detail::rounded_sum(sum, correction);
    return correction == correction ? total : sum;
  }

 private:
  // Knuth's two-sum: adds `value` to `sum` and returns the exact rounding error.
  __device__ T add_exactly(T value) {
    const T before = sum;
    sum = detail::rounded_sum(before, value);
    const T taken_in = detail::rounded_sum(sum, -before);
    const T kept = detail::rounded_sum(sum, -taken_in);
    return detail::rounded_sum(detail::rounded_sum(before, -kept),
                               detail::rounded_sum(value, -taken_in));
  }
};

// Lets collectives merge compensated sums with plus, their default operator.
template <typename T>
struct identity_of<plus, compensated<T>> {
  __host__ __device__ static compensated<T> value() { return {}; }
};
template <typename T>
inline constexpr bool commutes<plus, compensated<T>> = true;

}  // namespace heddle
