// CUDA's double-precision functions that take the rounding mode as an argument.
#pragma once
#define __DEVICE_DOUBLE_FUNCTIONS_H__  // programs test for it
#include <device_types.h>
#include <type_conversions.h>

#include "detail/directed_arithmetic.h"
#include "detail/round_mode.h"

inline double fma(double a, double b, double c, cudaRoundMode mode) noexcept {
  return ::cuda_on_host::rounded_fma(a, b, c, ::cuda_on_host::meaning_of(mode));
}
inline double dadd(double a, double b, cudaRoundMode mode = cudaRoundNearest) noexcept {
  return ::cuda_on_host::rounded_sum(a, b, ::cuda_on_host::meaning_of(mode));
}
inline double dsub(double a, double b, cudaRoundMode mode = cudaRoundNearest) noexcept {
  return ::cuda_on_host::rounded_sum(a, -b, ::cuda_on_host::meaning_of(mode));
}
inline double dmul(double a, double b, cudaRoundMode mode = cudaRoundNearest) noexcept {
  return ::cuda_on_host::rounded_product(a, b, ::cuda_on_host::meaning_of(mode));
}

inline int double2int(double value, cudaRoundMode mode = cudaRoundZero) noexcept {
  return ::cuda_on_host::to_integer<int>(value, ::cuda_on_host::meaning_of(mode));
}
inline unsigned int double2uint(double value, cudaRoundMode mode = cudaRoundZero) noexcept {
  return ::cuda_on_host::to_integer<unsigned int>(value, ::cuda_on_host::meaning_of(mode));
}
inline long long double2ll(double value, cudaRoundMode mode = cudaRoundZero) noexcept {
  return ::cuda_on_host::to_integer<long long>(value, ::cuda_on_host::meaning_of(mode));
}
inline unsigned long long double2ull(double value, cudaRoundMode mode = cudaRoundZero) noexcept {
  return ::cuda_on_host::to_integer<unsigned long long>(value, ::cuda_on_host::meaning_of(mode));
}
inline double ll2double(long long value, cudaRoundMode mode = cudaRoundNearest) noexcept {
  return ::cuda_on_host::from_integer<double>(value, ::cuda_on_host::meaning_of(mode));
}
inline double ull2double(unsigned long long value, cudaRoundMode mode = cudaRoundNearest) noexcept {
  return ::cuda_on_host::from_integer<double>(value, ::cuda_on_host::meaning_of(mode));
}

// These conversions to double are exact, so the mode does not matter.
inline double int2double(int value, cudaRoundMode = cudaRoundNearest) noexcept { return value; }
inline double uint2double(unsigned int value, cudaRoundMode = cudaRoundNearest) noexcept {
  return value;
}
inline double float2double(float value, cudaRoundMode = cudaRoundNearest) noexcept { return value; }
