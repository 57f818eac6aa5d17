// PTX's integer arithmetic: sums, products, quotients, and arithmetic with a carry.
#pragma once
#include <limits>
#include <type_traits>

#include <bit_functions.h>

#include "ptx_float.h"

namespace heddle_host::ptx {

// Integers wrap: they are computed as unsigned 64-bit numbers and cut off.
template <typename T>
inline T wrapped(u64 value) {
  return static_cast<T>(value);
}

template <typename T>
inline T saturated(s64 value) {
  using limits = std::numeric_limits<T>;
  return value > limits::max() ? limits::max() : value < limits::min() ? limits::min() : T(value);
}

template <typename T, how::set modifiers>
inline T add(T a, T b) {
  if constexpr (!std::is_integral_v<T>)
    return add_numbers<T, modifiers>(a, b);
  else if constexpr (how::has(modifiers, how::sat))
    return saturated<T>(static_cast<s64>(a) + b);
  else
    return wrapped<T>(static_cast<u64>(a) + static_cast<u64>(b));
}

template <typename T, how::set modifiers>
inline T sub(T a, T b) {
  if constexpr (!std::is_integral_v<T>)
    return add_numbers<T, modifiers>(a, negative(b));
  else if constexpr (how::has(modifiers, how::sat))
    return saturated<T>(static_cast<s64>(a) - b);
  else
    return wrapped<T>(static_cast<u64>(a) - static_cast<u64>(b));
}

template <typename T>
inline T mul_lo(T a, T b) {
  return wrapped<T>(static_cast<u64>(a) * static_cast<u64>(b));
}
template <typename T>
inline T mul_hi(T a, T b) {
  if constexpr (std::is_same_v<T, u64>)
    return __umul64hi(a, b);
  else if constexpr (std::is_same_v<T, s64>)
    return __mul64hi(a, b);
  else if constexpr (std::is_signed_v<T>)
    return static_cast<T>((static_cast<s64>(a) * b) >> (8 * sizeof(T)));
  else
    return static_cast<T>((static_cast<u64>(a) * b) >> (8 * sizeof(T)));
}

template <typename T>
using twice = std::conditional_t<sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, s32, u32>,
                                 std::conditional_t<std::is_signed_v<T>, s64, u64>>;
template <typename T>
inline twice<T> mul_wide(T a, T b) {
  return static_cast<twice<T>>(static_cast<twice<T>>(a) * static_cast<twice<T>>(b));
}
template <typename T>
inline twice<T> mad_wide(T a, T b, twice<T> c) {
  return wrapped<twice<T>>(static_cast<u64>(mul_wide<T>(a, b)) + static_cast<u64>(c));
}
template <typename T>
inline T mad_lo(T a, T b, T c) {
  return add<T, how::none>(mul_lo<T>(a, b), c);
}
template <typename T, how::set modifiers>
inline T mad_hi(T a, T b, T c) {
  return add<T, modifiers>(mul_hi<T>(a, b), c);
}

// The low 24 bits of each factor, as a number with the factor's sign.
template <typename T>
inline T low_24(T value) {
  return static_cast<T>(static_cast<u32>(value) << 8) >> 8;
}
template <typename T>
inline T mul24_lo(T a, T b) {
  return mul_lo<T>(low_24(a), low_24(b));
}
// Bits 16 to 47 of the product.
template <typename T>
inline T mul24_hi(T a, T b) {
  return static_cast<T>(mul_wide<T>(low_24(a), low_24(b)) >> 16);
}
template <typename T>
inline T mad24_lo(T a, T b, T c) {
  return add<T, how::none>(mul24_lo<T>(a, b), c);
}
template <typename T, how::set modifiers>
inline T mad24_hi(T a, T b, T c) {
  return add<T, modifiers>(mul24_hi<T>(a, b), c);
}

// A division by zero is not defined; it gives all ones, as on a GPU, and does not end the program.
template <typename T>
inline T div(T a, T b) {
  if (b == 0) return static_cast<T>(~T(0));
  if (std::is_signed_v<T> && b == static_cast<T>(-1)) return wrapped<T>(0 - static_cast<u64>(a));
  return static_cast<T>(a / b);
}
template <typename T>
inline T rem(T a, T b) {
  if (b == 0) return a;
  if (std::is_signed_v<T> && b == static_cast<T>(-1)) return 0;
  return static_cast<T>(a % b);
}

template <typename T>
inline T sad(T a, T b, T c) {
  const u64 difference =
      a > b ? static_cast<u64>(a) - static_cast<u64>(b) : static_cast<u64>(b) - static_cast<u64>(a);
  return wrapped<T>(difference + static_cast<u64>(c));
}

template <typename T, how::set modifiers>
inline T abs(T a) {
  if constexpr (std::is_integral_v<T>)
    return a < 0 ? wrapped<T>(0 - static_cast<u64>(a)) : a;
  else
    return flushed<modifiers>(with_canonical_nan(magnitude(a)));
}
template <typename T, how::set modifiers>
inline T neg(T a) {
  if constexpr (std::is_integral_v<T>)
    return wrapped<T>(0 - static_cast<u64>(a));
  else
    return flushed<modifiers>(with_canonical_nan(negative(a)));
}

template <typename T, how::set modifiers>
inline T min(T a, T b) {
  if constexpr (!std::is_integral_v<T>)
    return extreme<T, modifiers, false>(a, b);
  else
    return how::has(modifiers, how::relu) && (a < 0 || b < 0) ? T(0) : b < a ? b : a;
}
template <typename T, how::set modifiers>
inline T max(T a, T b) {
  if constexpr (!std::is_integral_v<T>)
    return extreme<T, modifiers, true>(a, b);
  else
    return how::has(modifiers, how::relu) && a < 0 && b < 0 ? T(0) : a < b ? b : a;
}

// ---- with a carry, which a subtraction sets if it borrows. Instructions that do not read the flag
// clear it first, and those that do not set it are given a copy.
template <typename T>
inline T addc(T a, T b, bool& carry) {
  using word = std::make_unsigned_t<T>;
  const word first = static_cast<word>(static_cast<word>(a) + static_cast<word>(b));
  const word sum = static_cast<word>(first + carry);
  carry = first < static_cast<word>(a) || sum < first;
  return static_cast<T>(sum);
}
template <typename T>
inline T subc(T a, T b, bool& borrow) {
  using word = std::make_unsigned_t<T>;
  const word first = static_cast<word>(static_cast<word>(a) - static_cast<word>(b));
  const word difference = static_cast<word>(first - borrow);
  borrow = static_cast<word>(a) < static_cast<word>(b) || first < static_cast<word>(borrow);
  return static_cast<T>(difference);
}
template <typename T>
inline T madc_lo(T a, T b, T c, bool& carry) {
  return addc<T>(mul_lo<T>(a, b), c, carry);
}
template <typename T>
inline T madc_hi(T a, T b, T c, bool& carry) {
  return addc<T>(mul_hi<T>(a, b), c, carry);
}

}  // namespace heddle_host::ptx
