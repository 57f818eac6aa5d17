// Sums of a tile that are right to the last digit though large values cancel.
//   strategy    a butterfly of pairs of sum and correction; floats travel as doubles
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
  return correction == correction ? sum + correction : sum;  // NaN if the sum is infinite
}

}  // namespace detail

// The contract of both:
//   called by   every lane of `members`, which holds whole tiles of `width` lanes
//   result in   every lane of the tile, bit for bit the same
//   error       half a unit in the last place, and besides at most 5 * 2^-53 Σ|x| for float and
//               24 * 2^-106 Σ|x| for double. So it is less than one unit as long as Σ|x| / |Σx|,
//               the condition number, is at most 10⁶ for float and 10¹⁴ for double. Infinities and
//               NaN give what plain addition gives
//   order       a fixed tree of neighbours

// The sum of one value of each lane.
//   cost        double: two shuffles and seven additions for the first step; then sum and
//               correction travel, four shuffles and eight additions for each. Float: 2 log2(width)
//               shuffles and one addition in double for each step, fewer than with a correction in
//               float, and closer
template <int width = warp_size, typename T>
requires std::is_same_v<T, float> || std::is_same_v<T, double>
[[nodiscard]] __device__ T compensated_sum(T value, lane_mask members = all_lanes) {
  if constexpr (std::is_same_v<T, float>) {
    return static_cast<float>(reduce<width>(static_cast<double>(value), plus{}, members));
  } else {
    static_assert(is_tile_width<width>, "a tile is 1, 2, 4, 8, 16 or 32 lanes wide");
    HEDDLE_EXPECTS((members & tile_of<width>(lane_id())) == tile_of<width>(lane_id()),
                   "warp::compensated_sum needs every lane of the caller's tile as a member");
    compensated<double> mine{value, 0};
    if constexpr (width > 1) mine.add(shuffle_xor(members, value, 1));  // nothing is cut off yet
#pragma unroll
    for (int distance = 2; distance < width; distance *= 2) {
      mine.merge(shuffle_xor(members, mine, distance));
    }
    return mine.value();
  }
}

// The sum of what each lane has collected; to the error comes that of collecting. What is to be
// merged further, unrounded, is reduce(value): plus merges such sums.
//   cost        that of the sum of one value of each lane
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
