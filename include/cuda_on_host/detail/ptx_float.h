// PTX's floating-point arithmetic, comparisons and functions, of 16, 32 and 64 bits.
#pragma once
#include <math.h>

#include <cmath>
#include <type_traits>

#include <heddle_host/ptx_values.hpp>

#include "directed_arithmetic.h"
#include "fast_intrinsics.h"
#include "min_max.h"
#include "narrow_float.h"

namespace heddle_host::ptx {

namespace host = ::cuda_on_host;
using host::rounding;

constexpr rounding mode_of(how::set modifiers) {
  return how::has(modifiers, how::rz | how::rzi)   ? rounding::zero
         : how::has(modifiers, how::rm | how::rmi) ? rounding::down
         : how::has(modifiers, how::rp | how::rpi) ? rounding::up
                                                   : rounding::nearest;
}

// ---- 16-bit types: values are computed in double, and rounded once
template <typename T>
inline constexpr bool is_narrow = std::is_same_v<T, f16> || std::is_same_v<T, bf16>;
template <typename T>
inline constexpr bool is_pair =
    std::is_same_v<T, f16x2> || std::is_same_v<T, bf16x2> || std::is_same_v<T, f32x2>;
template <typename T>
using format =
    std::conditional_t<std::is_same_v<T, bf16>, host::bfloat16_format, host::half_format>;
template <typename T>
using element = std::conditional_t<std::is_same_v<T, bf16x2>, bf16,
                                   std::conditional_t<std::is_same_v<T, f32x2>, f32, f16>>;

template <typename T>
inline double widened(T a) {
  if constexpr (is_narrow<T>)
    return host::widen<format<T>>(a.bits);
  else
    return static_cast<double>(a);
}

// Calls `operation` for the upper and the lower halves.
template <typename T, typename Operation, typename... Others>
inline T each_half(Operation operation, T a, Others... others) {
  using one = element<T>;
  using bits = std::conditional_t<sizeof(one) == 4, u32, u16>;
  constexpr int width = 8 * sizeof(one);
  const auto half = [](T both, int shift) {
    return take<one>(static_cast<bits>(both.bits >> shift));
  };
  const auto upper = take<bits>(operation(half(a, width), half(others, width)...));
  const auto lower = take<bits>(operation(half(a, 0), half(others, 0)...));
  using word = decltype(a.bits);
  return T{static_cast<word>(upper) << width | lower};
}

// ---- signs and subnormal numbers
template <typename T>
inline T negative(T a) {
  if constexpr (is_narrow<T>)
    return T{static_cast<u16>(a.bits ^ 0x8000u)};
  else if constexpr (std::is_same_v<T, f32x2>)
    return T{a.bits ^ 0x8000000080000000u};
  else if constexpr (is_pair<T>)
    return T{a.bits ^ 0x80008000u};
  else
    return -a;
}
template <typename T>
inline T magnitude(T a) {
  if constexpr (is_narrow<T>)
    return T{static_cast<u16>(a.bits & 0x7fffu)};
  else if constexpr (is_pair<T>)
    return T{a.bits & 0x7fff7fffu};
  else
    return std::fabs(a);
}

// Operations on 16-bit types return the canonical NaN.
template <typename T>
inline T with_canonical_nan(T a) {
  if constexpr (is_narrow<T>)
    return host::is_nan<format<T>>(a.bits) ? T{host::canonical_nan} : a;
  else if constexpr (is_pair<T> && !std::is_same_v<T, f32x2>)
    return each_half([](element<T> one) { return with_canonical_nan(one); }, a);
  else
    return a;
}

// .ftz: a subnormal number counts as zero of its sign.
template <how::set modifiers, typename T>
inline T flushed(T a) {
  if constexpr (how::has(modifiers, how::ftz) && std::is_same_v<T, float>)
    return std::fabs(a) < 0x1p-126f ? std::copysign(0.0f, a) : a;
  else if constexpr (how::has(modifiers, how::ftz) && std::is_same_v<T, f16>)
    return (a.bits & 0x7c00u) == 0 ? T{static_cast<u16>(a.bits & 0x8000u)} : a;
  else if constexpr (how::has(modifiers, how::ftz) && std::is_same_v<T, f16x2>)
    return each_half([](f16 one) { return flushed<modifiers>(one); }, a);
  else
    return a;
}

// What .ftz, .sat and .relu make of a result.
template <how::set modifiers, typename T>
inline T finished(T a) {
  a = flushed<modifiers>(a);
  if constexpr (is_narrow<T>) {
    if (how::has(modifiers, how::sat)) a.bits = host::saturate<format<T>>(a.bits);
    if (how::has(modifiers, how::relu)) a.bits = host::clamp_to_positive<format<T>>(a.bits);
  } else {
    if (how::has(modifiers, how::sat)) a = a > 0 ? (a < 1 ? a : T(1)) : T(0);
    if (how::has(modifiers, how::relu) && std::signbit(a) && a == a) a = 0;
  }
  return a;
}

// ---- arithmetic
// Applies an operation to each number: operands are flushed, and the result is finished.
template <typename T, how::set modifiers, typename Operation, typename... Others>
inline T compute(Operation operation, T a, Others... others) {
  if constexpr (is_pair<T>)
    return each_half([&](auto... one) { return compute<element<T>, modifiers>(operation, one...); },
                     a, others...);
  else
    return finished<modifiers>(operation(flushed<modifiers>(a), flushed<modifiers>(others)...));
}

// One rounding, in the mode that the modifiers name.
template <how::set modifiers, typename T>
inline T multiplied_and_added(T a, T b, T c) {
  constexpr rounding mode = mode_of(modifiers);
  if constexpr (is_narrow<T>)
    return T{host::narrow_fma<format<T>>(widened(a), widened(b), widened(c))};
  else
    return mode == rounding::nearest ? std::fma(a, b, c) : host::rounded_fma(a, b, c, mode);
}
template <how::set modifiers, typename T>
inline T sum(T a, T b) {
  constexpr rounding mode = mode_of(modifiers);
  if constexpr (is_narrow<T>)
    return T{host::narrow_fma<format<T>>(widened(a), 1.0, widened(b))};
  else
    return mode == rounding::nearest ? a + b : host::rounded_sum(a, b, mode);
}
template <how::set modifiers, typename T>
inline T product(T a, T b) {
  constexpr rounding mode = mode_of(modifiers);
  if constexpr (is_narrow<T>)
    return T{host::narrow<format<T>>(widened(a) * widened(b))};
  else
    return mode == rounding::nearest ? a * b : host::rounded_product(a, b, mode);
}

template <typename T, how::set modifiers>
inline T add_numbers(T a, T b) {
  return compute<T, modifiers>([](auto x, auto y) { return sum<modifiers>(x, y); }, a, b);
}
template <typename T, how::set modifiers>
inline T mul(T a, T b) {
  return compute<T, modifiers>([](auto x, auto y) { return product<modifiers>(x, y); }, a, b);
}
template <typename T, how::set modifiers>
inline T fma(T a, T b, T c) {
  return compute<T, modifiers>(
      [](auto x, auto y, auto z) { return multiplied_and_added<modifiers>(x, y, z); }, a, b, c);
}
template <typename T, how::set modifiers>
inline T div_rounded(T a, T b) {
  return compute<T, modifiers>(
      [](T x, T y) { return host::rounded_quotient(x, y, mode_of(modifiers)); }, a, b);
}
template <typename T, how::set modifiers>
inline T div_approx(T a, T b) {
  return compute<T, modifiers>(__fdividef, a, b);
}
template <typename T, how::set modifiers>
inline T rcp(T a) {
  return div_rounded<T, modifiers>(T(1), a);
}
template <typename T, how::set modifiers>
inline T sqrt(T a) {
  return compute<T, modifiers>([](T x) { return host::rounded_root(x, mode_of(modifiers)); }, a);
}
template <typename T, how::set modifiers>
inline T rsqrt(T a) {
  return compute<T, modifiers>([](T x) { return 1 / std::sqrt(x); }, a);
}

// The smaller or larger number. Without .NaN, a number wins over NaN; +0 is larger than -0.
template <typename T, how::set modifiers, bool is_maximum>
inline T extreme(T a, T b) {
  if constexpr (is_pair<T>) {
    using one = element<T>;
    return each_half([](one x, one y) { return extreme<one, modifiers, is_maximum>(x, y); }, a, b);
  } else if constexpr (how::has(modifiers, how::xorsign)) {
    constexpr auto rest = static_cast<how::set>(modifiers & ~(how::xorsign | how::abs));
    const T found = extreme<T, rest, is_maximum>(magnitude(a), magnitude(b));
    const bool is_negative = std::signbit(widened(a)) != std::signbit(widened(b));
    return is_negative && widened(found) == widened(found) ? negative(found) : found;
  } else if constexpr (is_narrow<T>) {
    constexpr bool nan_wins = how::has(modifiers, how::NaN);
    a = flushed<modifiers>(a);
    b = flushed<modifiers>(b);
    return T{is_maximum ? host::larger<format<T>>(a.bits, b.bits, nan_wins)
                        : host::smaller<format<T>>(a.bits, b.bits, nan_wins)};
  } else {
    a = flushed<modifiers>(a);
    b = flushed<modifiers>(b);
    if (how::has(modifiers, how::NaN) && (a != a || b != b)) return a + b;
    return is_maximum ? host::larger_number(a, b) : host::smaller_number(a, b);
  }
}

// The magnitude of b with the sign of a.
template <typename T>
inline T copysign(T a, T b) {
  return std::copysign(b, a);
}

template <typename T, how::set property>
inline bool testp(T a) {
  if constexpr (property == how::finite) return std::isfinite(a);
  if constexpr (property == how::infinite) return std::isinf(a);
  if constexpr (property == how::number) return !std::isnan(a);
  if constexpr (property == how::notanumber) return std::isnan(a);
  if constexpr (property == how::normal) return std::isnormal(a) || a == 0;  // PTX counts zeros
  return std::fpclassify(a) == FP_SUBNORMAL;
}

// ---- comparisons: those of numbers are false for NaN, unless their name ends in u
template <typename T, how::set modifiers>
inline bool compare(T first, T second) {
  using how::has;
  if constexpr (std::is_integral_v<T>) {
    if constexpr (has(modifiers, how::eq)) return first == second;
    if constexpr (has(modifiers, how::ne)) return first != second;
    if constexpr (has(modifiers, how::lt | how::lo)) return first < second;
    if constexpr (has(modifiers, how::le | how::ls)) return first <= second;
    if constexpr (has(modifiers, how::gt | how::hi)) return first > second;
    return first >= second;
  } else {
    const double a = widened(flushed<modifiers>(first)), b = widened(flushed<modifiers>(second));
    const bool is_unordered = a != a || b != b;
    if constexpr (has(modifiers, how::num)) return !is_unordered;
    if constexpr (has(modifiers, how::nan)) return is_unordered;
    if (is_unordered)
      return has(modifiers, how::equ | how::neu | how::ltu | how::leu | how::gtu | how::geu);
    if constexpr (has(modifiers, how::eq | how::equ)) return a == b;
    if constexpr (has(modifiers, how::ne | how::neu)) return a != b;
    if constexpr (has(modifiers, how::lt | how::ltu)) return a < b;
    if constexpr (has(modifiers, how::le | how::leu)) return a <= b;
    if constexpr (has(modifiers, how::gt | how::gtu)) return a > b;
    return a >= b;
  }
}

// True is all ones, or 1.0.
template <typename To>
inline To truth(bool holds) {
  if constexpr (std::is_integral_v<To>)
    return holds ? static_cast<To>(-1) : To(0);
  else if constexpr (is_narrow<To>)
    return To{host::narrow<format<To>>(holds ? 1.0 : 0.0)};
  else
    return holds ? To(1) : To(0);
}
template <typename To, typename T, how::set modifiers>
inline To set(T a, T b) {
  return truth<To>(compare<T, modifiers>(a, b));
}
template <typename To, typename T, how::set modifiers>
inline To set(T a, T b, bool c) {
  const bool holds = compare<T, modifiers>(a, b);
  return truth<To>(how::has(modifiers, how::and_)  ? holds && c
                   : how::has(modifiers, how::or_) ? holds || c
                                                   : holds != c);
}

// ---- functions
template <typename T, how::set modifiers>
inline T by_double(T a, double (*function)(double)) {
  return compute<T, modifiers>(
      [function](auto x) {
        const double value = function(widened(x));
        if constexpr (is_narrow<decltype(x)>)
          return decltype(x){host::narrow<format<decltype(x)>>(value)};
        else
          return static_cast<decltype(x)>(value);
      },
      a);
}
template <typename T, how::set modifiers>
inline T ex2(T a) {
  return by_double<T, modifiers>(a, ::exp2);
}
template <typename T, how::set modifiers>
inline T lg2(T a) {
  return by_double<T, modifiers>(a, ::log2);
}
template <typename T, how::set modifiers>
inline T sin(T a) {
  return by_double<T, modifiers>(a, ::sin);
}
template <typename T, how::set modifiers>
inline T cos(T a) {
  return by_double<T, modifiers>(a, ::cos);
}
template <typename T>
inline T tanh(T a) {
  return by_double<T, how::none>(a, ::tanh);
}

}  // namespace heddle_host::ptx
