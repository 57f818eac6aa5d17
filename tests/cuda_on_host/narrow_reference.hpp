// Reference for the 16-bit formats: a table of all values, and rounding by search in that table.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "host_rounding.hpp"

enum class direction { nearest, zero, up, down };

// The values of the patterns 0, 1, 2, ... up to the largest finite one, in ascending order, and
// then the value that would follow if the exponent were unlimited.
class narrow_reference {
 public:
  narrow_reference(int exponent_bits, int fraction_bits)
      : infinity_(((1 << exponent_bits) - 1) << fraction_bits) {
    const int bias = (1 << (exponent_bits - 1)) - 1;
    for (int pattern = 0; pattern <= infinity_; ++pattern) {
      const int exponent = pattern >> fraction_bits;
      const double fraction = std::ldexp(pattern & ((1 << fraction_bits) - 1), -fraction_bits);
      values_.push_back(exponent == 0 ? std::ldexp(fraction, 1 - bias)
                                      : std::ldexp(1 + fraction, exponent - bias));
    }
  }

  int infinity() const { return infinity_; }
  bool is_nan(int pattern) const { return (pattern & 0x7fff) > infinity_; }
  double value(int pattern) const {
    const int magnitude = pattern & 0x7fff;
    const double value = magnitude > infinity_    ? std::nan("")
                         : magnitude == infinity_ ? HUGE_VAL
                                                  : values_[static_cast<std::size_t>(magnitude)];
    return pattern & 0x8000 ? -value : value;
  }

  std::uint16_t round(truncated exact, direction mode = direction::nearest) const {
    if (std::isnan(exact.value)) return 0x7fff;
    const bool is_negative = std::signbit(exact.value);
    const int sign = is_negative ? 0x8000 : 0;
    const double magnitude = std::fabs(exact.value);
    if (std::isinf(magnitude)) return static_cast<std::uint16_t>(sign | infinity_);
    const bool is_away = mode == (is_negative ? direction::down : direction::up);
    if (magnitude >= values_.back()) {
      const bool to_infinity = is_away || mode == direction::nearest;
      return static_cast<std::uint16_t>(sign | (to_infinity ? infinity_ : infinity_ - 1));
    }
    const auto next = std::upper_bound(values_.begin(), values_.end(), magnitude);
    const int below = static_cast<int>(next - values_.begin()) - 1;  // values_[below] <= magnitude
    const double lower = values_[static_cast<std::size_t>(below)];
    if (lower == magnitude && !exact.has_more) return static_cast<std::uint16_t>(sign | below);
    const double middle = (lower + *next) / 2;
    const bool is_beyond_middle = magnitude > middle || (magnitude == middle && exact.has_more);
    const bool is_tie = magnitude == middle && !exact.has_more;
    const bool goes_up =
        mode == direction::nearest ? is_beyond_middle || (is_tie && below % 2 == 1) : is_away;
    return static_cast<std::uint16_t>(sign | (goes_up ? below + 1 : below));
  }
  std::uint16_t round(double exact, direction mode = direction::nearest) const {
    return round(truncated{exact, false}, mode);
  }

 private:
  int infinity_;
  std::vector<double> values_;
};

// What the typed tests need to know about each type.
struct half_traits {
  using scalar = __half;
  using pair = __half2;
  static const narrow_reference& reference() {
    static const narrow_reference table(5, 10);
    return table;
  }
  static scalar from_bits(int bits) { return __ushort_as_half(static_cast<unsigned short>(bits)); }
  static int bits(scalar value) { return __half_as_ushort(value); }
  static float to_float(scalar value) { return __half2float(value); }
  static scalar from_double(double value) { return __double2half(value); }
  static scalar from_float(float value, direction mode) {
    switch (mode) {
      case direction::nearest:
        return __float2half_rn(value);
      case direction::zero:
        return __float2half_rz(value);
      case direction::up:
        return __float2half_ru(value);
      default:
        return __float2half_rd(value);
    }
  }
};
struct bfloat16_traits {
  using scalar = __nv_bfloat16;
  using pair = __nv_bfloat162;
  static const narrow_reference& reference() {
    static const narrow_reference table(8, 7);
    return table;
  }
  static scalar from_bits(int bits) {
    return __ushort_as_bfloat16(static_cast<unsigned short>(bits));
  }
  static int bits(scalar value) { return __bfloat16_as_ushort(value); }
  static float to_float(scalar value) { return __bfloat162float(value); }
  static scalar from_double(double value) { return __double2bfloat16(value); }
  static scalar from_float(float value, direction mode) {
    switch (mode) {
      case direction::nearest:
        return __float2bfloat16_rn(value);
      case direction::zero:
        return __float2bfloat16_rz(value);
      case direction::up:
        return __float2bfloat16_ru(value);
      default:
        return __float2bfloat16_rd(value);
    }
  }
};
