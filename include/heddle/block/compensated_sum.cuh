// Sums of a block that are right to the last digit though large values cancel.
//   strategy    two levels, as block::reduce(), of sum and correction
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

// The sum of one value of each thread.
//   error       with u the half of epsilon (2^-24 for float, 2^-53 for double): at most half a unit
//               in the last place and u² Σ|x| for float, 99 u² Σ|x| for double. So it is less than
//               one unit as long as Σ|x| / |Σx|, the condition number, is below 10⁷ for float and
//               10¹³ for double. Infinities and NaN give what plain addition gives
//   cost        double: that of a reduce() of sum and correction, with eight additions a step.
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

// The sum of what each thread has collected.
//   error       at most half a unit in the last place and 99 u² Σ|s|, of the sums s that the
//               threads bring, more than theirs
//   cost        that of a reduce() of sum and correction, with eight additions a step
template <typename T, int threads, int rows>
[[nodiscard]] __device__ T compensated_sum(const compensated<T>& value,
                                           scratch<compensated<T>, threads, rows>& scratch) {
  return reduce(value, plus{}, scratch).value();
}

}  // namespace heddle::block
