// min and max in the global namespace, for the pairs of types that CUDA supports.
#pragma once
#include <cmath>

namespace cuda_on_host {

// As in PTX, a number wins over NaN, and +0 is larger than -0.
template <typename Float>
inline Float smaller_number(Float a, Float b) {
  if (a != a) return b;
  if (b != b) return a;
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
template <typename Float>
inline Float larger_number(Float a, Float b) {
  if (a != a) return b;
  if (b != b) return a;
  if (a == b) return std::signbit(a) ? b : a;
  return a < b ? b : a;
}

}  // namespace cuda_on_host

// Mixed signed and unsigned arguments compare as unsigned, as C++ would.
#define HEDDLE_INTEGER_MIN_MAX(a_type, b_type, result)                               \
  constexpr result min(a_type a, b_type b) noexcept {                                \
    return static_cast<result>(b) < static_cast<result>(a) ? static_cast<result>(b)  \
                                                           : static_cast<result>(a); \
  }                                                                                  \
  constexpr result max(a_type a, b_type b) noexcept {                                \
    return static_cast<result>(a) < static_cast<result>(b) ? static_cast<result>(b)  \
                                                           : static_cast<result>(a); \
  }
HEDDLE_INTEGER_MIN_MAX(int, int, int)
HEDDLE_INTEGER_MIN_MAX(unsigned int, unsigned int, unsigned int)
HEDDLE_INTEGER_MIN_MAX(int, unsigned int, unsigned int)
HEDDLE_INTEGER_MIN_MAX(unsigned int, int, unsigned int)
HEDDLE_INTEGER_MIN_MAX(long, long, long)
HEDDLE_INTEGER_MIN_MAX(unsigned long, unsigned long, unsigned long)
HEDDLE_INTEGER_MIN_MAX(long, unsigned long, unsigned long)
HEDDLE_INTEGER_MIN_MAX(unsigned long, long, unsigned long)
HEDDLE_INTEGER_MIN_MAX(long long, long long, long long)
HEDDLE_INTEGER_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
HEDDLE_INTEGER_MIN_MAX(long long, unsigned long long, unsigned long long)
HEDDLE_INTEGER_MIN_MAX(unsigned long long, long long, unsigned long long)
#undef HEDDLE_INTEGER_MIN_MAX

#define HEDDLE_FLOAT_MIN_MAX(a_type, b_type, result)     \
  inline result min(a_type a, b_type b) noexcept {       \
    return ::cuda_on_host::smaller_number<result>(a, b); \
  }                                                      \
  inline result max(a_type a, b_type b) noexcept {       \
    return ::cuda_on_host::larger_number<result>(a, b);  \
  }
HEDDLE_FLOAT_MIN_MAX(float, float, float)
HEDDLE_FLOAT_MIN_MAX(double, double, double)
HEDDLE_FLOAT_MIN_MAX(float, double, double)
HEDDLE_FLOAT_MIN_MAX(double, float, double)
#undef HEDDLE_FLOAT_MIN_MAX

constexpr unsigned int umin(unsigned int a, unsigned int b) noexcept { return min(a, b); }
constexpr unsigned int umax(unsigned int a, unsigned int b) noexcept { return max(a, b); }
constexpr long long llmin(long long a, long long b) noexcept { return min(a, b); }
constexpr long long llmax(long long a, long long b) noexcept { return max(a, b); }
constexpr unsigned long long ullmin(unsigned long long a, unsigned long long b) noexcept {
  return min(a, b);
}
constexpr unsigned long long ullmax(unsigned long long a, unsigned long long b) noexcept {
  return max(a, b);
}

// C does not specify whether fmin returns -0 or +0; PTX does. Arm's instruction behaves like PTX.
#if !defined(__aarch64__)
extern "C" {
#define HEDDLE_C_MIN_MAX(type, name, own_name, number)   \
  type name(type a, type b) noexcept __asm__(#own_name); \
  __attribute__((weak)) type own_name(type a, type b) { return ::cuda_on_host::number(a, b); }
HEDDLE_C_MIN_MAX(float, fminf, heddle_fminf, smaller_number)
HEDDLE_C_MIN_MAX(double, fmin, heddle_fmin, smaller_number)
HEDDLE_C_MIN_MAX(float, fmaxf, heddle_fmaxf, larger_number)
HEDDLE_C_MIN_MAX(double, fmax, heddle_fmax, larger_number)
#undef HEDDLE_C_MIN_MAX
}
#endif
