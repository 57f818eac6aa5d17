// Sums of half and bfloat16 in float: values are converted before the first addition.
//   strategy    conversion to float, then a butterfly of xor shuffles
//   needs       sm_75
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <heddle/core/lane.cuh>
#include <heddle/core/operators.cuh>
#include <heddle/warp/reduce.cuh>

namespace heddle::warp {

// The contract of all four:
//   called by   every lane of `members`, which holds whole tiles of `width` lanes
//   result in   every lane of the tile, bit for bit the same
//   cost        log2(width) shuffles, as many additions in float, and the conversion
//   order       a fixed tree of neighbours; the two values of a pair are added first

// The sum of one half-precision value per lane.
template <int width = warp_size>
[[nodiscard]] __device__ inline float sum(__half value, lane_mask members = all_lanes) {
  return reduce<width>(__half2float(value), plus{}, members);
}

// The sum of one bfloat16 per lane.
template <int width = warp_size>
[[nodiscard]] __device__ inline float sum(__nv_bfloat16 value, lane_mask members = all_lanes) {
  return reduce<width>(__bfloat162float(value), plus{}, members);
}

// The sum of two half-precision values per lane.
template <int width = warp_size>
[[nodiscard]] __device__ inline float sum(__half2 pair, lane_mask members = all_lanes) {
  return reduce<width>(__low2float(pair) + __high2float(pair), plus{}, members);
}

// The sum of two bfloat16 per lane.
template <int width = warp_size>
[[nodiscard]] __device__ inline float sum(__nv_bfloat162 pair, lane_mask members = all_lanes) {
  return reduce<width>(__low2float(pair) + __high2float(pair), plus{}, members);
}

namespace detail {
template <typename T>
inline constexpr bool is_summed_in_float = false;
}  // namespace detail

// Other types have no mixed sum.
template <int width = warp_size, typename T>
[[nodiscard]] __device__ inline float sum(T, lane_mask = all_lanes) {
  static_assert(detail::is_summed_in_float<T>,
                "warp::sum adds half and bfloat16 in float: for other types call "
                "warp::reduce(value), or warp::compensated_sum(value) for more digits");
  return 0;
}

}  // namespace heddle::warp
