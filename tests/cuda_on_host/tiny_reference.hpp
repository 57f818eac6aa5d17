// Reference for the formats of 8, 6 and 4 bits: a table of all values, and rounding by comparing
// with every one of them.
#pragma once
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

#include <cmath>
#include <vector>

// The values of the codes 0, 1, 2, ... up to the largest finite one, and then the value that would
// follow if the exponent were unlimited.
class tiny_reference {
 public:
  tiny_reference(int exponent_bits, int fraction_bits, int largest)
      : sign_(1 << (exponent_bits + fraction_bits)), largest_(largest) {
    const int bias = (1 << (exponent_bits - 1)) - 1;
    for (int code = 0; code <= largest + 1; ++code) {
      const int exponent = code >> fraction_bits;
      const double fraction = std::ldexp(code & ((1 << fraction_bits) - 1), -fraction_bits);
      values_.push_back(exponent == 0 ? std::ldexp(fraction, 1 - bias)
                                      : std::ldexp(1 + fraction, exponent - bias));
    }
  }

  int sign() const { return sign_; }
  int largest() const { return largest_; }
  // The value of a finite code, whose sign bit may be set.
  double value(int code) const {
    const double value = values_[static_cast<std::size_t>(code & (sign_ - 1))];
    return code & sign_ ? -value : value;
  }
  // The midpoint above the code, also above the largest one.
  double midpoint(int code) const {
    return (values_[static_cast<std::size_t>(code)] + values_[static_cast<std::size_t>(code) + 1]) /
           2;
  }

  // The code of the number, or sign and `beyond` where it is out of range; not for NaN.
  int nearest(double number, int beyond) const {
    const double magnitude = std::fabs(number);
    int best = 0;
    for (int code = 1; code <= largest_ + 1; ++code) {
      const double distance = std::fabs(values_[static_cast<std::size_t>(code)] - magnitude);
      const double shortest = std::fabs(values_[static_cast<std::size_t>(best)] - magnitude);
      if (distance < shortest || (distance == shortest && code % 2 == 0)) best = code;
    }
    return with_sign_of(number, best > largest_ || magnitude >= values_.back() ? beyond : best);
  }
  // Towards zero; what is out of range becomes the largest number.
  int truncated(double number) const {
    int best = 0;
    for (int code = 0; code <= largest_; ++code) {
      if (values_[static_cast<std::size_t>(code)] <= std::fabs(number)) best = code;
    }
    return with_sign_of(number, best);
  }

 private:
  int with_sign_of(double number, int code) const {
    return std::signbit(number) ? sign_ | code : code;
  }

  int sign_, largest_;
  std::vector<double> values_;
};

// What the typed tests need to know about each format. `nan` is the code that a float's NaN
// becomes; `beyond` is that of 1e30 without saturation.
struct e4m3_traits {
  using scalar = __nv_fp8_e4m3;
  using pair = __nv_fp8x2_e4m3;
  using four = __nv_fp8x4_e4m3;
  static constexpr int width = 8, nan = 0x7f, beyond = 0x7f;
  static constexpr __nv_fp8_interpretation_t format = __NV_E4M3;
  static const tiny_reference& reference() {
    static const tiny_reference table(4, 3, 0x7e);
    return table;
  }
};
struct e5m2_traits {
  using scalar = __nv_fp8_e5m2;
  using pair = __nv_fp8x2_e5m2;
  using four = __nv_fp8x4_e5m2;
  static constexpr int width = 8, nan = 0x7f, beyond = 0x7c;
  static constexpr __nv_fp8_interpretation_t format = __NV_E5M2;
  static const tiny_reference& reference() {
    static const tiny_reference table(5, 2, 0x7b);
    return table;
  }
};
struct e3m2_traits {
  using scalar = __nv_fp6_e3m2;
  using pair = __nv_fp6x2_e3m2;
  using four = __nv_fp6x4_e3m2;
  static constexpr int width = 8, nan = 0x1f;
  static const tiny_reference& reference() {
    static const tiny_reference table(3, 2, 0x1f);
    return table;
  }
};
struct e2m3_traits {
  using scalar = __nv_fp6_e2m3;
  using pair = __nv_fp6x2_e2m3;
  using four = __nv_fp6x4_e2m3;
  static constexpr int width = 8, nan = 0x1f;
  static const tiny_reference& reference() {
    static const tiny_reference table(2, 3, 0x1f);
    return table;
  }
};
struct e2m1_traits {
  using scalar = __nv_fp4_e2m1;
  using pair = __nv_fp4x2_e2m1;
  using four = __nv_fp4x4_e2m1;
  static constexpr int width = 4, nan = 0x7;
  static const tiny_reference& reference() {
    static const tiny_reference table(2, 1, 0x7);
    return table;
  }
};
