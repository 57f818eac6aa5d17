// Arithmetic with the rounding mode in the name: __fadd_rz, __dmul_ru, __fmaf_rd and similar,
// exact.
#pragma once

#include <cmath>

#include "exact_rounding.h"

namespace cuda_on_host {

// Infinities, NaN and division by zero, where nothing is rounded, are left to the processor.
template <typename Float>
inline Float rounded_sum(Float a, Float b, rounding mode) {
  if (!std::isfinite(a) || !std::isfinite(b)) return a + b;
  return round_to<Float>(add(decode_wide(a), decode_wide(b), mode), mode);
}

template <typename Float>
inline Float rounded_product(Float a, Float b, rounding mode) {
  if (!std::isfinite(a) || !std::isfinite(b)) return a * b;
  return round_to<Float>(multiply(decode_wide(a), decode_wide(b)), mode);
}

template <typename Float>
inline Float rounded_quotient(Float a, Float b, rounding mode) {
  if (!std::isfinite(a) || !std::isfinite(b) || b == 0) return a / b;
  return round_to<Float>(divide(decode_wide(a), decode_wide(b)), mode);
}

template <typename Float>
inline Float rounded_root(Float a, rounding mode) {
  if (!std::isfinite(a) || a <= 0) return std::sqrt(a);
  return round_to<Float>(square_root(decode_wide(a)), mode);
}

template <typename Float>
inline Float rounded_fma(Float a, Float b, Float c, rounding mode) {
  if (!std::isfinite(a) || !std::isfinite(b) || !std::isfinite(c)) return std::fma(a, b, c);
  return round_to<Float>(add(multiply(decode_wide(a), decode_wide(b)), decode_wide(c), mode), mode);
}

// 1 / sqrt(a), rounded once.
inline float rounded_reciprocal_root(float a) {
  if (!std::isfinite(a) || a <= 0) return 1 / std::sqrt(a);
  // The reciprocal is truncated after at least 102 bits. That cannot move the root across a
  // midpoint m of two floats: a * m * m has 74 bits, so it is 1 or differs from 1 by more than
  // 2^-75.
  const wide_number reciprocal = divide(decode_wide(1.0f), decode_wide(a));
  wide_number root = square_root(reciprocal);
  root.has_rest = root.has_rest || reciprocal.has_rest;
  return round_to<float>(root, rounding::nearest);
}

}  // namespace cuda_on_host

#define HEDDLE_DIRECTED_ARITHMETIC(type, letter, fma_name, suffix, mode)                 \
  inline type __##letter##add_##suffix(type a, type b) noexcept {                        \
    return ::cuda_on_host::rounded_sum(a, b, ::cuda_on_host::rounding::mode);            \
  }                                                                                      \
  inline type __##letter##sub_##suffix(type a, type b) noexcept {                        \
    return ::cuda_on_host::rounded_sum(a, -b, ::cuda_on_host::rounding::mode);           \
  }                                                                                      \
  inline type __##letter##mul_##suffix(type a, type b) noexcept {                        \
    return ::cuda_on_host::rounded_product(a, b, ::cuda_on_host::rounding::mode);        \
  }                                                                                      \
  inline type __##letter##div_##suffix(type a, type b) noexcept {                        \
    return ::cuda_on_host::rounded_quotient(a, b, ::cuda_on_host::rounding::mode);       \
  }                                                                                      \
  inline type __##letter##rcp_##suffix(type a) noexcept {                                \
    return ::cuda_on_host::rounded_quotient(type(1), a, ::cuda_on_host::rounding::mode); \
  }                                                                                      \
  inline type __##letter##sqrt_##suffix(type a) noexcept {                               \
    return ::cuda_on_host::rounded_root(a, ::cuda_on_host::rounding::mode);              \
  }                                                                                      \
  inline type fma_name##_##suffix(type a, type b, type c) noexcept {                     \
    return ::cuda_on_host::rounded_fma(a, b, c, ::cuda_on_host::rounding::mode);         \
  }
HEDDLE_DIRECTED_ARITHMETIC(float, f, __fmaf, rz, zero)
HEDDLE_DIRECTED_ARITHMETIC(float, f, __fmaf, ru, up)
HEDDLE_DIRECTED_ARITHMETIC(float, f, __fmaf, rd, down)
HEDDLE_DIRECTED_ARITHMETIC(double, d, __fma, rz, zero)
HEDDLE_DIRECTED_ARITHMETIC(double, d, __fma, ru, up)
HEDDLE_DIRECTED_ARITHMETIC(double, d, __fma, rd, down)
#undef HEDDLE_DIRECTED_ARITHMETIC

// Round to nearest: the processor's own arithmetic. Every program is compiled with
// -ffp-contract=off, so a product and a sum are not fused here.
#define HEDDLE_NEAREST_ARITHMETIC(type, letter, fma_name)                   \
  inline type __##letter##add_rn(type a, type b) noexcept { return a + b; } \
  inline type __##letter##sub_rn(type a, type b) noexcept { return a - b; } \
  inline type __##letter##mul_rn(type a, type b) noexcept { return a * b; } \
  inline type __##letter##div_rn(type a, type b) noexcept { return a / b; } \
  inline type __##letter##rcp_rn(type a) noexcept { return type(1) / a; }   \
  inline type __##letter##sqrt_rn(type a) noexcept { return std::sqrt(a); } \
  inline type fma_name##_rn(type a, type b, type c) noexcept { return std::fma(a, b, c); }
HEDDLE_NEAREST_ARITHMETIC(float, f, __fmaf)
HEDDLE_NEAREST_ARITHMETIC(double, d, __fma)
#undef HEDDLE_NEAREST_ARITHMETIC

// Subnormal operands and results are never flushed here, so these are the same functions.
inline float __fmaf_ieee_rn(float a, float b, float c) noexcept { return __fmaf_rn(a, b, c); }
inline float __fmaf_ieee_rz(float a, float b, float c) noexcept { return __fmaf_rz(a, b, c); }
inline float __fmaf_ieee_ru(float a, float b, float c) noexcept { return __fmaf_ru(a, b, c); }
inline float __fmaf_ieee_rd(float a, float b, float c) noexcept { return __fmaf_rd(a, b, c); }

inline float __frsqrt_rn(float a) noexcept { return ::cuda_on_host::rounded_reciprocal_root(a); }
