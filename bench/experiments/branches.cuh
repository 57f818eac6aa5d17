// Divergence: several ways of equal length, a short and a long way, and loops.
#pragma once
#include <heddle/core/lane.cuh>

#include "support/calls.cuh"

namespace heddle_bench {

// A chain of multiplications and additions.
template <int steps>
__device__ inline float chain_of(float value, float term) {
#pragma unroll
  for (int i = 0; i < steps; ++i) value = value * 0.5f + term;
  return value;
}
inline constexpr int way_steps = 64;
inline constexpr int long_way_steps = 256;
__device__ inline float term_of(int way) { return 0.125f * static_cast<float>(way + 1); }

// Not inlined: the compiler would merge ways that differ only in a constant.
template <int way, int steps = way_steps>
__device__ __noinline__ float walk(float value) {
  return chain_of<steps>(value, 0.125f * (way + 1));
}

// The way that a lane always takes. blockIdx.y is 0, but the compiler does not know that.
template <int ways>
struct lane_way {
  int way = heddle::lane_id() % ways + static_cast<int>(blockIdx.y);
  __device__ lane_way() {}
};

template <int ways>
struct branches_in : lane_way<ways> {
  static_assert(ways <= 16);
  __device__ float operator()(float value) const {
    switch (this->way) {
      case 0:
        return walk<0>(value);
      case 1:
        return walk<1>(value);
      case 2:
        return walk<2>(value);
      case 3:
        return walk<3>(value);
      case 4:
        return walk<4>(value);
      case 5:
        return walk<5>(value);
      case 6:
        return walk<6>(value);
      case 7:
        return walk<7>(value);
      case 8:
        return walk<8>(value);
      case 9:
        return walk<9>(value);
      case 10:
        return walk<10>(value);
      case 11:
        return walk<11>(value);
      case 12:
        return walk<12>(value);
      case 13:
        return walk<13>(value);
      case 14:
        return walk<14>(value);
      default:
        return walk<15>(value);
    }
  }
};
// The same way for all lanes, with different data.
template <int ways>
struct choices_in : lane_way<ways> {
  __device__ float operator()(float value) const {
    return chain_of<way_steps>(value, term_of(this->way));
  }
};

// ---- a short and a long way

// All lanes take the same way.
struct all_short : lane_way<1> {
  __device__ float operator()(float value) const { return walk<0>(value); }
};
struct all_long : lane_way<1> {
  __device__ float operator()(float value) const { return walk<1, long_way_steps>(value); }
};
// Every second lane takes the short way.
struct short_and_long : lane_way<2> {
  __device__ float operator()(float value) const {
    return way == 0 ? walk<0>(value) : walk<1, long_way_steps>(value);
  }
};
// The same work as a loop that ends earlier in every second lane.
struct short_and_long_loop : lane_way<2> {
  __device__ float operator()(float value) const {
    constexpr int piece = 32;
    const float term = term_of(way);
    const int steps = way == 0 ? way_steps : long_way_steps;
#pragma unroll 1
    for (int i = 0; i < steps; i += piece) value = chain_of<piece>(value, term);
    return value;
  }
};

}  // namespace heddle_bench
