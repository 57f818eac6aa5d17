// A sum that remembers what rounding has cut off.
#pragma once
#include <heddle/core/config.cuh>
#include <heddle/core/operators.cuh>

#include <type_traits>

namespace heddle {

namespace detail {

// An addition that the compiler neither reorders nor fuses, whatever options it is given.
[[nodiscard]] __device__ inline float rounded_sum(float a, float b) { return __fadd_rn(a, b); }
[[nodiscard]] __device__ inline double rounded_sum(double a, double b) { return __dadd_rn(a, b); }

}  // namespace detail

// `sum` is rounded at every step, `correction` collects what that has cut off.
template <typename T>
struct compensated {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>,
                "a compensated sum is one of float or double; add shorter types in float");
  T sum = 0;
  T correction = 0;

  // Adds one value: as merge() does, for a value that nothing has been cut off from.
  //   cost     seven additions
  __device__ void add(T value) { correction = detail::rounded_sum(correction, add_exactly(value)); }

  // Adds another such sum.
  //   cost     eight additions
  //   order    merging commutes bit for bit; it is associative up to the rounding of corrections
  __device__ void merge(const compensated& other) {
    const T corrections = detail::rounded_sum(correction, other.correction);
    correction = detail::rounded_sum(corrections, add_exactly(other.sum));
  }
  friend __device__ compensated operator+(compensated a, const compensated& b) {
    a.merge(b);
    return a;
  }

  // Sum and correction, rounded once. Where infinities or NaN have been added, or the sum has
  // overflowed, it is what plain addition gives.
  __device__ T value() const {
    const T total = detail::rounded_sum(sum, correction);
    return correction == correction ? total : sum;
  }

 private:
  // Knuth's two-sum: `sum` takes `value` in, and what rounding cuts off is returned, exactly.
  __device__ T add_exactly(T value) {
    const T before = sum;
    sum = detail::rounded_sum(before, value);
    const T taken_in = detail::rounded_sum(sum, -before);
    const T kept = detail::rounded_sum(sum, -taken_in);
    return detail::rounded_sum(detail::rounded_sum(before, -kept),
                               detail::rounded_sum(value, -taken_in));
  }
};

// So that plus, which is what collectives use where no operator is named, merges such sums.
template <typename T>
struct identity_of<plus, compensated<T>> {
  __host__ __device__ static compensated<T> value() { return {}; }
};
template <typename T>
inline constexpr bool commutes<plus, compensated<T>> = true;

}  // namespace heddle
