// PTX's conversions between numbers.
#pragma once
#include <cmath>
#include <limits>
#include <type_traits>

#include <type_conversions.h>

#include "ptx_float.h"

namespace heddle_host::ptx {

// Rounds to a whole number of the same type.
inline double whole(double value, rounding mode) {
  return mode == rounding::zero   ? std::trunc(value)
         : mode == rounding::down ? std::floor(value)
         : mode == rounding::up   ? std::ceil(value)
                                  : std::rint(value);
}

template <typename To>
inline To number_as(double value, rounding mode) {
  if constexpr (is_narrow<To>)
    return To{host::narrow<format<To>>(value, mode)};
  else if constexpr (std::is_same_v<To, float>)
    return mode == rounding::nearest ? static_cast<float>(value) : host::to_single(value, mode);
  else
    return value;
}

template <typename To, typename From>
inline To clamped_integer(From value) {
  using limits = std::numeric_limits<To>;
  if constexpr (std::is_signed_v<From>) {
    if (value < 0) {
      if constexpr (std::is_unsigned_v<To>)
        return 0;
      else
        return value < limits::min() ? limits::min() : static_cast<To>(value);
    }
  }
  return static_cast<u64>(value) > static_cast<u64>(limits::max()) ? limits::max()
                                                                   : static_cast<To>(value);
}

template <typename To, typename From, how::set modifiers>
inline To cvt(From from) {
  constexpr rounding mode = mode_of(modifiers);
  if constexpr (std::is_integral_v<From> && std::is_integral_v<To>) {
    if constexpr (how::has(modifiers, how::sat)) return clamped_integer<To>(from);
    return static_cast<To>(from);
  } else if constexpr (std::is_integral_v<From>) {
    if constexpr (is_narrow<To>)
      return finished<modifiers>(To{host::narrow_integer<format<To>>(from, mode)});
    else
      return finished<modifiers>(host::from_integer<To>(from, mode));
  } else if constexpr (std::is_integral_v<To>) {
    // The exact value of a narrow type is a float.
    using source = std::conditional_t<std::is_same_v<From, double>, double, float>;
    return host::to_integer<To>(static_cast<source>(widened(flushed<modifiers>(from))), mode);
  } else {
    constexpr bool to_whole = how::has(modifiers, how::rni | how::rzi | how::rmi | how::rpi);
    const double value = widened(flushed<modifiers>(from));
    return finished<modifiers>(number_as<To>(to_whole ? whole(value, mode) : value, mode));
  }
}

// Two clamped integers, the first one above the second; bytes move up what was there.
template <typename To, typename From>
inline b32 cvt_pack(From upper, From lower) {
  using bits = std::make_unsigned_t<To>;
  return static_cast<b32>(static_cast<bits>(clamped_integer<To>(upper))) << (8 * sizeof(To)) |
         static_cast<bits>(clamped_integer<To>(lower));
}
template <typename To, typename From, typename Word>
inline b32 cvt_pack(From upper, From lower, Word earlier) {
  return earlier << 16 | cvt_pack<To, From>(upper, lower);
}

// tf32: 10 bits of the fraction, rounded to the nearest, ties away from zero.
template <typename From>
inline b32 cvt_rna_tf32(From from) {
  const auto bits = take<b32>(from);
  if ((bits & 0x7f800000u) == 0x7f800000u) return from != from ? 0x7fffffffu : bits;
  return (bits + 0x1000u) & ~0x1fffu;
}

// ---- 8-bit types
template <typename T>
struct small_format;
// The largest number is 448: what would be infinity's patterns are numbers, and one NaN.
template <>
struct small_format<e4m3x2> : host::float_format<8, 4, -9, 5, std::uint8_t> {
  static constexpr double limit = 448;
};
template <>
struct small_format<e5m2x2> : host::float_format<8, 3, -16, 13, std::uint8_t> {
  static constexpr double limit = 57344;
};

// .satfinite, which these conversions require: too large a number becomes the largest one.
template <typename T, how::set modifiers>
inline u16 small_bits(double value) {
  using format = small_format<T>;
  if (value != value) return 0x7f;
  if (how::has(modifiers, how::relu) && std::signbit(value)) value = 0;
  if (std::fabs(value) > format::limit) value = std::copysign(format::limit, value);
  return host::encode<format>(
      host::decode<std::uint64_t, host::double_format>(host::same_bits<std::uint64_t>(value)),
      rounding::nearest);
}

template <typename T>
inline double small_value(u8 bits) {
  using format = small_format<T>;
  const unsigned unsigned_bits = bits & 0x7fu;
  const bool is_e4m3 = std::is_same_v<T, e4m3x2>;
  if (is_e4m3 ? unsigned_bits == 0x7f : unsigned_bits > format::infinity)
    return std::numeric_limits<double>::quiet_NaN();
  const bool is_infinite = !is_e4m3 && unsigned_bits == format::infinity;
  const auto number = host::decode<std::uint64_t, format>(bits);
  const double size = is_infinite
                          ? std::numeric_limits<double>::infinity()
                          : std::ldexp(static_cast<double>(number.magnitude), number.exponent);
  return number.is_negative ? -size : size;
}

// ---- pairs: the first operand becomes the upper half
template <typename To, typename From, how::set modifiers>
inline To cvt_pair(From upper, From lower) {
  if constexpr (is_pair<To>) {
    using one = element<To>;
    return To{static_cast<u32>(cvt<one, From, modifiers>(upper).bits) << 16 |
              cvt<one, From, modifiers>(lower).bits};
  } else {
    return To{
        static_cast<u16>(small_bits<To, modifiers>(upper) << 8 | small_bits<To, modifiers>(lower))};
  }
}
template <typename To, typename From, how::set modifiers>
inline To cvt_narrow_pair(From both) {
  using one = element<From>;
  return cvt_pair<To, double, modifiers>(widened(one{static_cast<u16>(both.bits >> 16)}),
                                         widened(one{static_cast<u16>(both.bits)}));
}
template <typename To, typename From, how::set modifiers>
inline To cvt_widen_pair(From both) {
  return cvt_pair<To, double, modifiers>(small_value<From>(static_cast<u8>(both.bits >> 8)),
                                         small_value<From>(static_cast<u8>(both.bits)));
}

}  // namespace heddle_host::ptx
