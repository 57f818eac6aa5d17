// Exact sums of numbers of any magnitude, rounded once, bit by bit.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace heddle_test {

// A long integer in units of 2^-1100, with schoolbook addition.
class long_integer {
 public:
  void add(double number) {
    if (number == 0) return;
    int exponent = 0;
    const auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(number, &exponent), 53));
    const int position = exponent - 53 + 1100;
    // The signed mantissa at its place.
    std::uint64_t carry = 0;
    for (int digit = position / 32; digit < digits; ++digit) {
      const int right = 32 * digit - position;
      const std::int64_t shifted =
          right >= 64  ? (mantissa < 0 ? -1 : 0)
          : right >= 0 ? mantissa >> right
                       : static_cast<std::int64_t>(static_cast<std::uint64_t>(mantissa) << -right);
      const std::uint64_t sum = carry + digits_[digit] + static_cast<std::uint32_t>(shifted);
      digits_[digit] = static_cast<std::uint32_t>(sum);
      carry = sum >> 32;
    }
  }

  // The nearest number with that many bits, none below 2^lowest; as a double, or infinity.
  double rounded(int precision, int lowest, double largest) const {
    long_integer magnitude = *this;
    const bool is_negative = (digits_[digits - 1] >> 31) != 0;
    if (is_negative) magnitude.negate();
    int top = 32 * digits - 1;
    while (top >= 0 && !magnitude.bit(top)) --top;
    if (top < 0) return 0;
    const int last = std::max(top - precision + 1, lowest + 1100);
    double value = 0;
    for (int i = top; i >= last; --i) value = 2 * value + magnitude.bit(i);
    bool is_more_than_half = false;
    for (int i = last - 2; i >= 0; --i) is_more_than_half = is_more_than_half || magnitude.bit(i);
    if (magnitude.bit(last - 1) && (is_more_than_half || magnitude.bit(last))) value += 1;
    value = std::ldexp(value, last - 1100);
    if (value > largest) value = std::numeric_limits<double>::infinity();
    return is_negative ? -value : value;
  }

 private:
  static constexpr int digits = 72;
  bool bit(int i) const { return (digits_[i / 32] >> i % 32 & 1) != 0; }
  void negate() {
    std::uint64_t carry = 1;
    for (auto& digit : digits_) {
      carry += static_cast<std::uint32_t>(~digit);
      digit = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
  std::uint32_t digits_[digits]{};
};

// The exact sum of values[start …], rounded once to T, ties to even.
template <typename T>
T expected_sum(const std::vector<T>& values, std::size_t start = 0) {
  long_integer sum;
  for (std::size_t i = start; i < values.size(); ++i) sum.add(values[i]);
  constexpr bool is_wide = sizeof(T) == 8;
  return static_cast<T>(
      sum.rounded(is_wide ? 53 : 24, is_wide ? -1074 : -149, std::numeric_limits<T>::max()));
}

}  // namespace heddle_test
