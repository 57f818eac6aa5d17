// Sums of a block that are accurate to the last digit even if large values cancel.
//   strategy    two levels, as in block::reduce(), on pairs of sum and correction; floats are added
//               as doubles
//   needs       sm_75
#pragma once
#include <heddle/block/reduce.cuh>
#include <heddle/block/scratch.cuh>
#include <heddle/core/compensated.cuh>

#include <type_traits>

namespace heddle::block {

// The contract of both:
//   called by   every thread of the block, which may have any shape and size
//   result in   every thread, bit for bit the same
//   scratch     a scratch<compensated<T>>; may be reused immediately
//   order       a fixed tree for each block size

// The sum of one value per thread.
//   error       at most half a unit in the last place, plus u² Σ|x| for float or 99 u² Σ|x| for
//               double, where u is half of epsilon (2^-24 for float, 2^-53 for double). That is
//               less than one unit as long as the condition number Σ|x| / |Σx| is below 10⁷ for
//               float and 10¹³ for double. Infinities and NaN give the result of plain addition
//   cost        double: that of a reduce() of sum and correction, with eight additions per step.
//               Float: that of a reduce() in double, whose 53 bits hold as much as a float and its
//               correction
template <typename T, int threads, int rows>
requires std::is_same_v<T, float> || std::is_same_v<T, double>
[[nodiscard]] __device__ T compensated_sum(T value,
                                           scratch<compensated<T>, threads, rows>& scratch) {
  if constexpr (std::is_same_v<T, float>) {
    const auto mine = static_cast<double>(value);
    return static_cast<float>(
        detail::reduce_team(detail::block_of(scratch), mine, plus{}, scratch));
  } else {
    return reduce(compensated<T>{value, 0}, plus{}, scratch).value();
  }
}

// The sum of the threads' compensated sums.
//   error       that of the threads' sums s, plus at most half a unit in the last place and 99 u²
//               Σ|s|
//   cost        that of a reduce() of sum and correction, with eight additions per step
template <typename T, int threads, int rows>
[[nodiscard]] __device__ T compensated_sum(const compensated<T>& value,
                                           scratch<compensated<T>, threads, rows>& scratch) {
  return reduce(value, plus{}, scratch).value();
}

}  // namespace heddle::block
