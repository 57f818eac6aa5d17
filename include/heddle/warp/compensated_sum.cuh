// Sums of a tile that are accurate to the last digit even if large values cancel.
//   strategy    a butterfly of pairs of sum and correction; floats are added as doubles
//   needs       sm_75
#pragma once
#include <heddle/core/compensated.cuh>
#include <heddle/core/lane.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/core/operators.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/warp/reduce.cuh>

namespace heddle::warp {

namespace detail {

// A float and its correction as one double, whose 53 bits hold both to 2^-53.
__device__ inline double as_double(const compensated<float>& value) {
  const auto sum = static_cast<double>(value.sum);
  const auto correction = static_cast<double>(value.correction);
  return correction == correction ? sum + correction : sum;  // correction is NaN if sum is infinite
}

}  // namespace detail

// The contract of both:
//   called by   every lane of `members`, which holds whole tiles of `width` lanes
//   result in   every lane of the tile, bit for bit the same
//   error       at most half a unit in the last place, plus 5 * 2^-53 Σ|x| for float or 24 * 2^-106
//               Σ|x| for double. That is less than one unit as long as the condition number Σ|x| /
//               |Σx| is at most 10⁶ for float and 10¹⁴ for double. Infinities and NaN give the
//               result of plain addition
//   order       a fixed tree of neighbours

// The sum of one value per lane.
//   cost        double: two shuffles and seven additions for the first step; then four shuffles,
//               for sum and correction, and eight additions for each step. Float: two shuffles and
//               one addition in double for each step, which is cheaper and more accurate than a
//               correction in float
template <int width = warp_size, typename T>
requires std::is_same_v<T, float> || std::is_same_v<T, double>
[[nodiscard]] __device__ T compensated_sum(T value, lane_mask members = all_lanes) {
  if constexpr (std::is_same_v<T, float>) {
    return static_cast<float>(reduce<width>(static_cast<double>(value), plus{}, members));
  } else {
    HEDDLE_EXPECTS_TILE(width, members, "warp::compensated_sum");
    compensated<double> mine{value, 0};
    if constexpr (width > 1) mine.add(shuffle_xor(members, value, 1));  // no rounding error yet
#pragma unroll
    for (int distance = 2; distance < width; distance *= 2) {
      mine.merge(shuffle_xor(members, mine, distance));
    }
    return mine.value();
  }
}

// The sum of the lanes' compensated sums; the errors of these add to the error. For an unrounded
// result to merge further, call reduce(value): plus merges compensated sums.
//   cost        that of the sum of one value per lane
template <int width = warp_size, typename T>
[[nodiscard]] __device__ T compensated_sum(const compensated<T>& value,
                                           lane_mask members = all_lanes) {
  if constexpr (std::is_same_v<T, float>) {
    return static_cast<float>(reduce<width>(detail::as_double(value), plus{}, members));
  } else {
    return reduce<width>(value, plus{}, members).value();
  }
}

}  // namespace heddle::warp
