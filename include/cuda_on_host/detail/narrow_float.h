// Conversion between double and the narrow formats, and arithmetic in the 16-bit ones.
#pragma once
#include <cmath>
#include <cstdint>

#include "exact_rounding.h"

namespace cuda_on_host {

// The pattern, in both 16-bit formats, of a NaN that the GPU's arithmetic or conversions produce.
constexpr std::uint16_t canonical_nan = 0x7fff;

template <typename Format>
inline bool is_nan(std::uint16_t pattern) {
  return (pattern & 0x7fff) > Format::infinity;
}

// The value of a finite pattern in a format of at most 16 bits. It is always exact in double.
template <typename Format>
inline double widen_number(typename Format::bits pattern) {
  constexpr int surplus = double_format::digits - Format::digits;
  constexpr std::uint64_t rebias = std::uint64_t(Format::lowest - double_format::lowest - surplus)
                                   << 52;
  constexpr unsigned smallest_normal = Format::fraction_mask + 1u;
  const std::uint64_t sign = std::uint64_t(pattern & Format::sign) << (64 - Format::width);
  const unsigned magnitude = pattern & (Format::sign - 1u);
  if (magnitude >= smallest_normal) {
    return same_bits<double>(sign | ((std::uint64_t(magnitude) << surplus) + rebias));
  }
  const double unit = same_bits<double>(std::uint64_t(Format::lowest + 1023) << 52);
  return sign ? -unit * magnitude : unit * magnitude;
}

// The value of a pattern.
template <typename Format>
inline double widen(std::uint16_t pattern) {
  const unsigned magnitude = pattern & 0x7fff;
  if (magnitude < Format::infinity) return widen_number<Format>(pattern);
  if (magnitude > Format::infinity) return same_bits<double>(~std::uint64_t(0) >> 1);
  return same_bits<double>(std::uint64_t(pattern & Format::sign) << 48 | double_format::infinity);
}

// As a float. The GPU shifts a bfloat16's bits up, NaN included, but canonicalises the NaN of a
// half.
template <typename Format>
inline float widen_to_single(std::uint16_t pattern) {
  if (Format::digits == bfloat16_format::digits) {
    return same_bits<float>(std::uint32_t(pattern) << 16);
  }
  if (is_nan<Format>(pattern)) return same_bits<float>(std::uint32_t(0x7fffffff));
  return static_cast<float>(widen<Format>(pattern));
}

// The pattern of a value, rounded once, in a format of at most 16 bits. NaN becomes `nan`.
template <typename Format>
inline typename Format::bits narrow_to(double value, rounding mode, typename Format::bits nan) {
  using bits = typename Format::bits;
  constexpr int surplus = double_format::digits - Format::digits;
  constexpr std::uint64_t rebias = std::uint64_t(Format::lowest - double_format::lowest - surplus)
                                   << 52;
  constexpr std::uint64_t smallest_normal = rebias + (std::uint64_t(1) << 52);
  constexpr std::uint64_t largest = rebias + (std::uint64_t(Format::largest) << surplus);
  const auto pattern = same_bits<std::uint64_t>(value);
  const auto sign = static_cast<bits>(pattern >> (64 - Format::width) & Format::sign);
  const std::uint64_t magnitude = pattern & ~double_format::sign;
  if (mode == rounding::nearest && magnitude >= smallest_normal && magnitude <= largest) {
    // Adds half a unit minus one bit, or half a unit if the last kept bit is odd: ties go to even,
    // and a carry out of the fraction increments the exponent correctly.
    const std::uint64_t half_unit = (std::uint64_t(1) << (surplus - 1)) - 1;
    const std::uint64_t is_odd = magnitude >> surplus & 1;
    return static_cast<bits>(sign | ((magnitude - rebias + half_unit + is_odd) >> surplus));
  }
  if (magnitude > double_format::infinity) return nan;
  if (magnitude == double_format::infinity) return static_cast<bits>(sign | Format::infinity);
  return encode<Format>(decode<std::uint64_t, double_format>(pattern), mode);
}

// The same for 16-bit formats, which have a canonical NaN.
template <typename Format>
inline std::uint16_t narrow(double value, rounding mode = rounding::nearest) {
  return narrow_to<Format>(value, mode, canonical_nan);
}

template <typename Format, typename Integer>
inline std::uint16_t narrow_integer(Integer value, rounding mode) {
  return encode<Format>(decode_integer(value), mode);
}

// a * b + c, rounded once. The product of two 16-bit numbers is exact in double. An inexact sum
// gets its last bit set (rounding to odd), so that the narrowing sees on which side of a tie it
// lies.
template <typename Format>
inline std::uint16_t narrow_fma(double a, double b, double c) {
  const double product = a * b;
  const double sum = product + c;
  if (!std::isfinite(sum)) return narrow<Format>(sum);
  const double part = sum - product;
  const double rest = (product - (sum - part)) + (c - part);
  if (rest == 0) return narrow<Format>(sum);
  auto pattern = same_bits<std::uint64_t>(sum);
  if ((pattern & 1) == 0) pattern += (rest > 0) == (sum > 0) ? 1 : -1;
  return narrow<Format>(same_bits<double>(pattern));
}

// Clamps to [+0, 1]; NaN becomes +0.
template <typename Format>
inline std::uint16_t saturate(std::uint16_t pattern) {
  const std::uint16_t one = narrow<Format>(1.0);
  if (is_nan<Format>(pattern) || pattern & Format::sign) return 0;
  return pattern > one ? one : pattern;
}

// Negative numbers become +0; NaN stays.
template <typename Format>
inline std::uint16_t clamp_to_positive(std::uint16_t pattern) {
  if (is_nan<Format>(pattern)) return canonical_nan;
  return pattern & Format::sign ? 0 : pattern;
}

// A sort key for numbers, with -0 below +0; not for NaN.
inline int order_of(std::uint16_t pattern) {
  return pattern & 0x8000 ? -1 - (pattern & 0x7fff) : pattern;
}

template <typename Format>
inline std::uint16_t smaller(std::uint16_t a, std::uint16_t b, bool nan_wins) {
  const bool a_is_nan = is_nan<Format>(a), b_is_nan = is_nan<Format>(b);
  if ((a_is_nan && b_is_nan) || (nan_wins && (a_is_nan || b_is_nan))) return canonical_nan;
  if (a_is_nan || b_is_nan) return a_is_nan ? b : a;
  return order_of(a) < order_of(b) ? a : b;
}
template <typename Format>
inline std::uint16_t larger(std::uint16_t a, std::uint16_t b, bool nan_wins) {
  const bool a_is_nan = is_nan<Format>(a), b_is_nan = is_nan<Format>(b);
  if ((a_is_nan && b_is_nan) || (nan_wins && (a_is_nan || b_is_nan))) return canonical_nan;
  if (a_is_nan || b_is_nan) return a_is_nan ? b : a;
  return order_of(a) < order_of(b) ? b : a;
}

}  // namespace cuda_on_host
