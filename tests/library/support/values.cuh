// The value of a thread in a collective whose result must be exact.
#pragma once
#include <heddle/core/lane.cuh>

#include <cstdint>
#include <type_traits>

#include "support/operators.cuh"
#include "support/samples.cuh"

namespace heddle_test {

// Any integer, floating-point numbers whose sums are exact, or maps that do not commute.
template <typename T>
__host__ __device__ T value_at(std::uint64_t seed, int place) {
  const std::uint64_t bits = sample_bits(seed, static_cast<std::uint64_t>(place));
  if constexpr (std::is_same_v<T, affine>) {
    return {static_cast<std::uint32_t>(bits) | 1, static_cast<std::uint32_t>(bits >> 32)};
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(bits);
  } else {
    return static_cast<T>(static_cast<float>(static_cast<int>(bits % 2001) - 1000));
  }
}

// The caller's rank in a one-dimensional grid.
__device__ inline int place_in_grid() {
  return static_cast<int>(blockIdx.x) * heddle::block_size() + heddle::thread_rank();
}

}  // namespace heddle_test
