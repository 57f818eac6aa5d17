// Operators and values that reveal mistakes in order, structs and sizes.
#pragma once
#include <heddle/core/operators.cuh>

#include <cstdint>

namespace heddle_test {

// An interval of lanes. Joining is associative and does not commute. Joining intervals that do not
// touch, or that are already broken, gives a broken interval.
struct interval {
  std::int16_t first = 0;
  std::int16_t last = -1;
  bool is_broken = false;
  friend __host__ __device__ bool operator==(const interval& a, const interval& b) {
    return a.first == b.first && a.last == b.last && a.is_broken == b.is_broken;
  }
};

struct join {
  __host__ __device__ interval operator()(const interval& a, const interval& b) const {
    if (a.last < a.first && !a.is_broken) return b;
    if (b.last < b.first && !b.is_broken) return a;
    return {a.first, b.last, a.is_broken || b.is_broken || a.last + 1 != b.first};
  }
};

// A map x -> scale * x + shift of 32-bit words: composition is associative and does not commute.
struct affine {
  std::uint32_t scale = 1;
  std::uint32_t shift = 0;
  friend __host__ __device__ bool operator==(const affine& a, const affine& b) {
    return a.scale == b.scale && a.shift == b.shift;
  }
};

struct then {
  __host__ __device__ affine operator()(const affine& first, const affine& second) const {
    return {first.scale * second.scale, first.shift * second.scale + second.shift};
  }
};

}  // namespace heddle_test

template <>
struct heddle::identity_of<heddle_test::join, heddle_test::interval> {
  __host__ __device__ static heddle_test::interval value() { return {}; }
};

template <>
struct heddle::identity_of<heddle_test::then, heddle_test::affine> {
  __host__ __device__ static heddle_test::affine value() { return {}; }
};
