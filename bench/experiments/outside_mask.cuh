// What a shuffle returns if its source lane does not take part: CUDA leaves that undefined.
#pragma once
#include <heddle/core/lane.cuh>

namespace heddle_bench {

// Every lane reads from the lane 16 above it. For the upper half, that lane does not exist.
static __global__ void ask_beyond_warp(const unsigned* values, unsigned* answers) {
  const int lane = heddle::lane_id();
  answers[lane] = __shfl_down_sync(~0u, values[lane], 16);
}

// Lanes of the lower half read from the lane 16 above; the upper half does not shuffle.
template <bool has_ended>
__global__ void ask_outside(const unsigned* values, unsigned* answers) {
  const int lane = heddle::lane_id();
  unsigned value = values[lane];
  if (lane >= 16) {
    if constexpr (!has_ended) {
      // Some work, so that the compiler keeps the two branches apart.
      for (unsigned i = 0; i < 100; ++i) value = value * values[i & 31u] + 1u;
      answers[lane] = value;
    }
  } else {
    constexpr unsigned lower_half = 0xffffu;
    answers[lane] = __shfl_sync(lower_half, value, lane + 16);
  }
}

}  // namespace heddle_bench
