// CUDA's device maths: the C++ library's functions in the global namespace, and what CUDA adds.
#pragma once
#define __MATH_FUNCTIONS_H__  // programs test for it
// The C++ library's <math.h> and <stdlib.h> bring every overload of <cmath> (and of abs) into the
// global namespace with using-declarations, so `using namespace std` changes nothing.
#include <math.h>
#include <stdlib.h>

#include <cmath>
#include <cstdlib>

#include <heddle_host/lane.hpp>

#include "detail/directed_arithmetic.h"
#include "detail/fast_intrinsics.h"
#include "detail/min_max.h"
#include "detail/special_functions.h"

// CUDA specifies what ilogb returns for zero, NaN and infinity. Some C libraries return other
// numbers, and host code still gets those.
#if FP_ILOGB0 != -2147483647 - 1 || FP_ILOGBNAN != -2147483647 - 1
extern "C" {
int ilogb(double x) noexcept __asm__("heddle_ilogb");
int ilogbf(float x) noexcept __asm__("heddle_ilogbf");
__attribute__((weak)) int heddle_ilogb(double x) {
  constexpr int least = -2147483647 - 1;
  if (x == 0) return ::heddle_host::in_lane() ? least : FP_ILOGB0;
  if (x != x) return ::heddle_host::in_lane() ? least : FP_ILOGBNAN;
  return std::isinf(x) ? 2147483647 : static_cast<int>(std::logb(x));
}
__attribute__((weak)) int heddle_ilogbf(float x) { return heddle_ilogb(x); }
}
#endif

// Names that newer C libraries declare themselves, with the same meaning.
#if defined(__GLIBC__) && defined(__GLIBC_MINOR__)
#define HEDDLE_C_LIBRARY_HAS_SINPI (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 41)
#define HEDDLE_C_LIBRARY_HAS_RSQRT (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 42)
#else
#define HEDDLE_C_LIBRARY_HAS_SINPI 0
#define HEDDLE_C_LIBRARY_HAS_RSQRT 0
#endif

#if !HEDDLE_C_LIBRARY_HAS_RSQRT
inline double rsqrt(double x) noexcept { return 1 / std::sqrt(x); }
inline float rsqrtf(float x) noexcept {
  return static_cast<float>(1 / std::sqrt(static_cast<double>(x)));
}
#endif

#if !HEDDLE_C_LIBRARY_HAS_SINPI
inline double sinpi(double x) noexcept { return ::cuda_on_host::sine_of_half_turns(x); }
inline double cospi(double x) noexcept { return ::cuda_on_host::cosine_of_half_turns(x); }
inline float sinpif(float x) noexcept {
  return static_cast<float>(::cuda_on_host::sine_of_half_turns(x));
}
inline float cospif(float x) noexcept {
  return static_cast<float>(::cuda_on_host::cosine_of_half_turns(x));
}
#endif
#undef HEDDLE_C_LIBRARY_HAS_SINPI
#undef HEDDLE_C_LIBRARY_HAS_RSQRT

inline void sincospi(double x, double* sine, double* cosine) noexcept {
  *sine = ::cuda_on_host::sine_of_half_turns(x);
  *cosine = ::cuda_on_host::cosine_of_half_turns(x);
}
inline void sincospif(float x, float* sine, float* cosine) noexcept {
  *sine = static_cast<float>(::cuda_on_host::sine_of_half_turns(x));
  *cosine = static_cast<float>(::cuda_on_host::cosine_of_half_turns(x));
}

inline double rcbrt(double x) noexcept { return 1 / std::cbrt(x); }
inline double erfcx(double x) noexcept { return ::cuda_on_host::scaled_erfc(x); }
inline double erfinv(double x) noexcept { return ::cuda_on_host::erf_inverse(x); }
inline double erfcinv(double x) noexcept { return ::cuda_on_host::erfc_inverse(x); }
inline double normcdf(double x) noexcept { return ::cuda_on_host::normal_distribution(x); }
inline double normcdfinv(double x) noexcept {
  return -1.41421356237309504880 * ::cuda_on_host::erfc_inverse(2 * x);
}
inline double cyl_bessel_i0(double x) noexcept { return std::cyl_bessel_i(0.0, std::fabs(x)); }
inline double cyl_bessel_i1(double x) noexcept {
  return std::copysign(std::cyl_bessel_i(1.0, std::fabs(x)), x);
}
inline double fdivide(double x, double y) noexcept { return x / y; }
inline float fdividef(float x, float y) noexcept { return x / y; }

// Vector norms and their reciprocals.
inline double norm(int count, const double* components) noexcept {
  return ::cuda_on_host::length_of(components, count);
}
inline double norm3d(double a, double b, double c) noexcept {
  const double components[] = {a, b, c};
  return norm(3, components);
}
inline double norm4d(double a, double b, double c, double d) noexcept {
  const double components[] = {a, b, c, d};
  return norm(4, components);
}
inline double rnorm(int count, const double* components) noexcept {
  return 1 / norm(count, components);
}
inline double rnorm3d(double a, double b, double c) noexcept { return 1 / norm3d(a, b, c); }
inline double rnorm4d(double a, double b, double c, double d) noexcept {
  return 1 / norm4d(a, b, c, d);
}
inline double rhypot(double a, double b) noexcept { return 1 / std::hypot(a, b); }

// Single precision: computed in double, where squares of floats neither overflow nor underflow, and
// rounded once.
inline float normf(int count, const float* components) noexcept {
  double sum = 0;
  bool has_infinity = false;
  for (int i = 0; i < count; ++i) {
    has_infinity = has_infinity || std::isinf(components[i]);
    sum += static_cast<double>(components[i]) * components[i];
  }
  return has_infinity ? HUGE_VALF : static_cast<float>(std::sqrt(sum));
}
inline float norm3df(float a, float b, float c) noexcept {
  const float components[] = {a, b, c};
  return normf(3, components);
}
inline float norm4df(float a, float b, float c, float d) noexcept {
  const float components[] = {a, b, c, d};
  return normf(4, components);
}
inline float rnormf(int count, const float* components) noexcept {
  return 1 / normf(count, components);
}
inline float rnorm3df(float a, float b, float c) noexcept { return 1 / norm3df(a, b, c); }
inline float rnorm4df(float a, float b, float c, float d) noexcept {
  return 1 / norm4df(a, b, c, d);
}
inline float rhypotf(float a, float b) noexcept { return 1 / std::hypot(a, b); }
inline float rcbrtf(float x) noexcept { return static_cast<float>(rcbrt(static_cast<double>(x))); }
inline float erfcxf(float x) noexcept { return static_cast<float>(erfcx(static_cast<double>(x))); }
inline float erfinvf(float x) noexcept {
  return static_cast<float>(erfinv(static_cast<double>(x)));
}
inline float erfcinvf(float x) noexcept {
  return static_cast<float>(erfcinv(static_cast<double>(x)));
}
inline float normcdff(float x) noexcept {
  return static_cast<float>(normcdf(static_cast<double>(x)));
}
inline float normcdfinvf(float x) noexcept {
  return static_cast<float>(normcdfinv(static_cast<double>(x)));
}
inline float cyl_bessel_i0f(float x) noexcept {
  return static_cast<float>(cyl_bessel_i0(static_cast<double>(x)));
}
inline float cyl_bessel_i1f(float x) noexcept {
  return static_cast<float>(cyl_bessel_i1(static_cast<double>(x)));
}

// Float overloads of names that <cmath> does not overload.
inline float rsqrt(float x) noexcept { return rsqrtf(x); }
inline float rcbrt(float x) noexcept { return rcbrtf(x); }
inline float exp10(float x) noexcept { return exp10f(x); }
inline float sinpi(float x) noexcept { return sinpif(x); }
inline float cospi(float x) noexcept { return cospif(x); }
inline void sincos(float x, float* sine, float* cosine) noexcept { sincosf(x, sine, cosine); }
inline void sincospi(float x, float* sine, float* cosine) noexcept { sincospif(x, sine, cosine); }
inline float erfcx(float x) noexcept { return erfcxf(x); }
inline float erfinv(float x) noexcept { return erfinvf(x); }
inline float erfcinv(float x) noexcept { return erfcinvf(x); }
inline float normcdf(float x) noexcept { return normcdff(x); }
inline float normcdfinv(float x) noexcept { return normcdfinvf(x); }
inline float cyl_bessel_i0(float x) noexcept { return cyl_bessel_i0f(x); }
inline float cyl_bessel_i1(float x) noexcept { return cyl_bessel_i1f(x); }
inline float j0(float x) noexcept { return j0f(x); }
inline float j1(float x) noexcept { return j1f(x); }
inline float jn(int n, float x) noexcept { return jnf(n, x); }
inline float y0(float x) noexcept { return y0f(x); }
inline float y1(float x) noexcept { return y1f(x); }
inline float yn(int n, float x) noexcept { return ynf(n, x); }
