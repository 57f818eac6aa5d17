// CUDA's fast single-precision functions (__expf, __fdividef, ...), as accurate as the regular
// ones, with the special cases that CUDA's manual states for them.
#pragma once
#include <math.h>

// The C library declares some of these names, with C linkage and noexcept; these definitions then
// complete its declarations.
inline float __expf(float x) noexcept { return expf(x); }
inline float __exp10f(float x) noexcept { return exp10f(x); }
inline float __logf(float x) noexcept { return logf(x); }
inline float __log2f(float x) noexcept { return log2f(x); }
inline float __log10f(float x) noexcept { return log10f(x); }
inline float __sinf(float x) noexcept { return sinf(x); }
inline float __cosf(float x) noexcept { return cosf(x); }
inline float __tanf(float x) noexcept { return tanf(x); }
inline float __tanhf(float x) noexcept { return tanhf(x); }
inline void __sincosf(float x, float* sine, float* cosine) noexcept {
  *sine = sinf(x);
  *cosine = cosf(x);
}

// Defined as 2^(y log2(x)), hence NaN for any negative x.
inline float __powf(float x, float y) noexcept {
  return static_cast<float>(exp2(y * log2(static_cast<double>(x))));
}

// A divisor above 2^126 in magnitude gives 0, or NaN for an infinite dividend.
inline float __fdividef(float x, float y) noexcept {
  const float magnitude = fabsf(y);
  if (magnitude > 0x1p126f && magnitude <= 0x1.fffffep127f) return x != x || isinf(x) ? x - x : 0;
  return x / y;
}

// Clamps to [+0, 1]; NaN becomes +0.
inline float __saturatef(float x) noexcept { return x > 0 ? (x < 1 ? x : 1) : 0; }
