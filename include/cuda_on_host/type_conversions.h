// CUDA's conversions between numbers, with the rounding mode in the name, and between bit patterns.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "detail/exact_rounding.h"

namespace cuda_on_host {

// As PTX cvt: values out of range are clamped. NaN becomes 0; if either type has 64 bits, it
// becomes the integer with only its top bit set.
template <typename Integer, typename Float>
inline Integer to_integer(Float value, rounding mode) {
  using limits = std::numeric_limits<Integer>;
  if (value != value) {
    constexpr bool is_wide = sizeof(Float) == 8 || sizeof(Integer) == 8;
    return is_wide ? Integer(std::uint64_t(1) << (sizeof(Integer) * 8 - 1)) : Integer(0);
  }
  double whole = static_cast<double>(value);
  switch (mode) {
    case rounding::nearest:
      whole = std::rint(whole);
      break;
    case rounding::zero:
      whole = std::trunc(whole);
      break;
    case rounding::up:
      whole = std::ceil(whole);
      break;
    case rounding::down:
      whole = std::floor(whole);
      break;
  }
  // The largest integer plus one is a power of two, hence exact.
  const double past_largest = std::ldexp(1.0, limits::digits);
  if (whole >= past_largest) return limits::max();
  if (whole <= static_cast<double>(limits::min())) return limits::min();
  return static_cast<Integer>(whole);
}

template <typename Float, typename Integer>
inline Float from_integer(Integer value, rounding mode) {
  if (mode == rounding::nearest) return static_cast<Float>(value);
  return round_to<Float>(decode_integer(value), mode);
}

}  // namespace cuda_on_host

#define HEDDLE_CONVERSIONS_TO_INTEGER(source, name, target)                              \
  inline target __##source##2##name##_rn(source value) noexcept {                        \
    return ::cuda_on_host::to_integer<target>(value, ::cuda_on_host::rounding::nearest); \
  }                                                                                      \
  inline target __##source##2##name##_rz(source value) noexcept {                        \
    return ::cuda_on_host::to_integer<target>(value, ::cuda_on_host::rounding::zero);    \
  }                                                                                      \
  inline target __##source##2##name##_ru(source value) noexcept {                        \
    return ::cuda_on_host::to_integer<target>(value, ::cuda_on_host::rounding::up);      \
  }                                                                                      \
  inline target __##source##2##name##_rd(source value) noexcept {                        \
    return ::cuda_on_host::to_integer<target>(value, ::cuda_on_host::rounding::down);    \
  }
HEDDLE_CONVERSIONS_TO_INTEGER(float, int, int)
HEDDLE_CONVERSIONS_TO_INTEGER(float, uint, unsigned int)
HEDDLE_CONVERSIONS_TO_INTEGER(float, ll, long long)
HEDDLE_CONVERSIONS_TO_INTEGER(float, ull, unsigned long long)
HEDDLE_CONVERSIONS_TO_INTEGER(double, int, int)
HEDDLE_CONVERSIONS_TO_INTEGER(double, uint, unsigned int)
HEDDLE_CONVERSIONS_TO_INTEGER(double, ll, long long)
HEDDLE_CONVERSIONS_TO_INTEGER(double, ull, unsigned long long)
#undef HEDDLE_CONVERSIONS_TO_INTEGER

#define HEDDLE_CONVERSIONS_FROM_INTEGER(source, name, target)                              \
  inline target __##name##2##target##_rn(source value) noexcept {                          \
    return ::cuda_on_host::from_integer<target>(value, ::cuda_on_host::rounding::nearest); \
  }                                                                                        \
  inline target __##name##2##target##_rz(source value) noexcept {                          \
    return ::cuda_on_host::from_integer<target>(value, ::cuda_on_host::rounding::zero);    \
  }                                                                                        \
  inline target __##name##2##target##_ru(source value) noexcept {                          \
    return ::cuda_on_host::from_integer<target>(value, ::cuda_on_host::rounding::up);      \
  }                                                                                        \
  inline target __##name##2##target##_rd(source value) noexcept {                          \
    return ::cuda_on_host::from_integer<target>(value, ::cuda_on_host::rounding::down);    \
  }
HEDDLE_CONVERSIONS_FROM_INTEGER(int, int, float)
HEDDLE_CONVERSIONS_FROM_INTEGER(unsigned int, uint, float)
HEDDLE_CONVERSIONS_FROM_INTEGER(long long, ll, float)
HEDDLE_CONVERSIONS_FROM_INTEGER(unsigned long long, ull, float)
HEDDLE_CONVERSIONS_FROM_INTEGER(long long, ll, double)
HEDDLE_CONVERSIONS_FROM_INTEGER(unsigned long long, ull, double)
#undef HEDDLE_CONVERSIONS_FROM_INTEGER

inline double __int2double_rn(int value) noexcept { return value; }
inline double __uint2double_rn(unsigned int value) noexcept { return value; }

namespace cuda_on_host {
inline float to_single(double value, rounding mode) {
  if (!std::isfinite(value)) return static_cast<float>(value);
  using number = std::uint64_t;
  return round_to<float>(decode<number, double_format>(same_bits<number>(value)), mode);
}
}  // namespace cuda_on_host

inline float __double2float_rn(double value) noexcept { return static_cast<float>(value); }
inline float __double2float_rz(double value) noexcept {
  return ::cuda_on_host::to_single(value, ::cuda_on_host::rounding::zero);
}
inline float __double2float_ru(double value) noexcept {
  return ::cuda_on_host::to_single(value, ::cuda_on_host::rounding::up);
}
inline float __double2float_rd(double value) noexcept {
  return ::cuda_on_host::to_single(value, ::cuda_on_host::rounding::down);
}

// Reinterprets the bits as another type.
inline int __float_as_int(float value) noexcept { return ::cuda_on_host::same_bits<int>(value); }
inline unsigned int __float_as_uint(float value) noexcept {
  return ::cuda_on_host::same_bits<unsigned int>(value);
}
inline float __int_as_float(int bits) noexcept { return ::cuda_on_host::same_bits<float>(bits); }
inline float __uint_as_float(unsigned int bits) noexcept {
  return ::cuda_on_host::same_bits<float>(bits);
}
inline long long __double_as_longlong(double value) noexcept {
  return ::cuda_on_host::same_bits<long long>(value);
}
inline double __longlong_as_double(long long bits) noexcept {
  return ::cuda_on_host::same_bits<double>(bits);
}
inline int __double2hiint(double value) noexcept {
  return static_cast<int>(::cuda_on_host::same_bits<std::uint64_t>(value) >> 32);
}
inline int __double2loint(double value) noexcept {
  return static_cast<int>(::cuda_on_host::same_bits<std::uint64_t>(value));
}
inline double __hiloint2double(int high, int low) noexcept {
  const auto high_bits = std::uint64_t(static_cast<unsigned int>(high)) << 32;
  return ::cuda_on_host::same_bits<double>(high_bits | static_cast<unsigned int>(low));
}
