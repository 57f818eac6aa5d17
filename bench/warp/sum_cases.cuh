// Sums that are more accurate than their type, against shuffle loops, CUB and cooperative groups.
#pragma once
#include <heddle/warp/compensated_sum.cuh>
#include <heddle/warp/mixed_sum.cuh>

#include <cmath>
#include <string>

#include "support/contest.cuh"
#include "warp/reduce_cases.cuh"

namespace heddle_bench {

// ---- sums with rounding errors

template <typename T>
struct heddle_compensated_sum {
  __device__ T operator()(T value) const { return heddle::warp::compensated_sum(value); }
};

// What people write: the rounding error of each addition travels with the sum.
template <typename T>
struct two_sum_loop {
  __device__ T operator()(T sum) const {
    T lost = 0;
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
      const T other = __shfl_xor_sync(~0u, sum, distance);
      const T other_lost = __shfl_xor_sync(~0u, lost, distance);
      const T total = sum + other;
      const T taken = total - sum;
      lost += other_lost + ((sum - (total - taken)) + (other - taken));
      sum = total;
    }
    return sum + lost;
  }
};

// ---- sums of 16-bit floats, added in float

// The input is in the short type, so that the conversion is part of the call.
template <typename Short>
__device__ Short shortened(float value) {
  return static_cast<Short>(value);
}
template <typename Short>
struct heddle_mixed_sum {
  __device__ float operator()(float value) const {
    return heddle::warp::sum(shortened<Short>(value));
  }
};
template <typename Short>
struct widened_xor_loop {
  __device__ float operator()(float value) const {
    return xor_loop<32, float, heddle::plus>{}(static_cast<float>(shortened<Short>(value)));
  }
};
template <typename Short>
struct widened_cub_sum {
  __device__ float operator()(float value) const {
    return cub_reduce_for_all<32, float, heddle::plus>{}(
        static_cast<float>(shortened<Short>(value)));
  }
};
template <typename Short>
struct widened_groups_sum {
  __device__ float operator()(float value) const {
    return groups_reduce<32, float, heddle::plus>{}(static_cast<float>(shortened<Short>(value)));
  }
};
// Adds in the short type itself: less accurate, and one conversion less.
template <typename Short>
struct short_xor_loop {
  __device__ float operator()(float value) const {
    return static_cast<float>(xor_loop<32, Short, heddle::plus>{}(shortened<Short>(value)));
  }
};

// For sums of 32 numbers below 1 whose additions round to 8 or 11 bits: a wide tolerance.
struct rough_feed : number_feed<float> {
  using number_feed<float>::number_feed;
  static bool agree(float a, float b) { return std::abs(a - b) <= 0.1f * std::abs(a); }
};

template <typename Short>
void mixed_sums(contest& contest, const std::string& type) {
  using feed = rough_feed;
  contest.run<feed>({warps<feed, heddle_mixed_sum<Short>>("warp::sum(" + type + ")"),
                     warps<feed, widened_xor_loop<Short>>("xor loop in float"),
                     warps<feed, widened_groups_sum<Short>>("cooperative_groups::reduce in float"),
                     warps<feed, widened_cub_sum<Short>>("cub::WarpReduce in float + broadcast"),
                     warps<feed, short_xor_loop<Short>>("xor loop in " + type, 0)});
}

inline void sum_cases(contest& contest) {
  {
    using feed = number_feed<float>;
    contest.run<feed>(
        {warps<feed, heddle_compensated_sum<float>>("warp::compensated_sum(float)"),
         warps<feed, two_sum_loop<float>>("xor loop of sum and error"),
         warps<feed, heddle_reduce<32, float, heddle::plus>>("warp::reduce, in float", 0)});
  }
  {
    using feed = number_feed<double>;
    contest.run<feed>({warps<feed, heddle_compensated_sum<double>>("warp::compensated_sum(double)"),
                       warps<feed, two_sum_loop<double>>("xor loop of sum and error")});
  }
  mixed_sums<__half>(contest, "half");
  mixed_sums<__nv_bfloat16>(contest, "bfloat16");
}

}  // namespace heddle_bench
