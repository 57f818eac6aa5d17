// The values of threads in scans and reductions that must be exact, and initial values.
#pragma once
#include <cstdint>
#include <type_traits>

#include "support/operators.cuh"
#include "support/samples.cuh"

namespace heddle_test {

__host__ __device__ inline interval from_to(int first, int last) {
  return {static_cast<std::int16_t>(first), static_cast<std::int16_t>(last), false};
}

// Any map, the interval of the thread alone, any integer, or floating-point numbers whose sums are
// exact in every order, even in half.
template <typename T>
__host__ __device__ T value_of(std::uint64_t seed, int thread) {
  if constexpr (std::is_same_v<T, affine>) {
    const std::uint64_t bits = sample_bits(seed, thread);
    return {static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32)};
  } else if constexpr (std::is_same_v<T, interval>) {
    return from_to(thread, thread);
  } else if constexpr (std::is_integral_v<T>) {
    return sample<T>(seed, thread);
  } else {
    return static_cast<T>(static_cast<float>(static_cast<int>(sample_bits(seed, thread) % 9) - 4));
  }
}

// An initial value for a scan from `first_thread` on: an interval that touches the thread's own.
template <typename T>
__host__ __device__ T initial_of(std::uint64_t seed, int first_thread) {
  if constexpr (std::is_same_v<T, interval>) {
    return from_to(-7, first_thread - 1);
  } else {
    return value_of<T>(seed, first_thread + 5000);
  }
}

// Joins intervals with an operator that the library does not know, without an identity.
struct join_unknown {
  __host__ __device__ interval operator()(const interval& a, const interval& b) const {
    return {a.first, b.last, a.is_broken || b.is_broken || a.last + 1 != b.first};
  }
};

}  // namespace heddle_test
