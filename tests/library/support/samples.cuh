// Pseudo-random numbers, the same on host and device, from a seed that every failure names.
#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <type_traits>

#include "support/seed.hpp"

namespace heddle_test {

// 64 bits of the `index`-th sample (splitmix64's finaliser applied to a counter).
__host__ __device__ inline std::uint64_t sample_bits(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t bits = seed + (index + 1) * 0x9e3779b97f4a7c15ull;
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9ull;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111ebull;
  return bits ^ bits >> 31;
}

// A value of T: integers over their whole range, floating-point numbers in [-1, 1).
template <typename T>
__host__ __device__ T sample(std::uint64_t seed, std::uint64_t index) {
  const std::uint64_t bits = sample_bits(seed, index);
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(bits);
  } else {
    return static_cast<T>(static_cast<float>(static_cast<std::int32_t>(bits >> 32)) * 0x1p-31f);
  }
}

// Put this at the start of a test that uses samples: failures then say how to replay them.
#define HEDDLE_NAME_SEED() SCOPED_TRACE(::heddle_test::seed_text())

}  // namespace heddle_test
