// CUDA's complex numbers as pairs of floats or doubles.
#pragma once
#define CU_COMPLEX_H_  // programs test for it
#include <cmath>

#include <vector_types.h>

using cuFloatComplex = float2;
using cuDoubleComplex = double2;
using cuComplex = cuFloatComplex;

namespace cuda_on_host {

template <typename Complex>
inline Complex complex_product(Complex a, Complex b) {
  return Complex{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}

// Both numbers are first scaled by the magnitude of the divisor, so that its square neither
// overflows nor underflows.
template <typename Complex>
inline Complex complex_quotient(Complex a, Complex b) {
  using real = decltype(a.x);
  const real scale = real(1) / (std::fabs(b.x) + std::fabs(b.y));
  const Complex dividend{a.x * scale, a.y * scale};
  const Complex divisor{b.x * scale, b.y * scale};
  const real inverse = real(1) / (divisor.x * divisor.x + divisor.y * divisor.y);
  return Complex{(dividend.x * divisor.x + dividend.y * divisor.y) * inverse,
                 (dividend.y * divisor.x - dividend.x * divisor.y) * inverse};
}

// The larger component times the length of (1, smaller / larger), as CUDA computes it.
template <typename Complex>
inline auto complex_length(Complex a) {
  using real = decltype(a.x);
  const real x = std::fabs(a.x), y = std::fabs(a.y);
  const real larger = x > y ? x : y, smaller = x > y ? y : x;
  if (larger == 0 || std::isinf(x) || std::isinf(y)) return larger + smaller;
  const real ratio = smaller / larger;
  return larger * std::sqrt(1 + ratio * ratio);
}

template <typename Complex>
inline Complex complex_fma(Complex a, Complex b, Complex c) {
  const Complex partial{a.x * b.x + c.x, a.x * b.y + c.y};
  return Complex{-(a.y * b.y) + partial.x, a.y * b.x + partial.y};
}

}  // namespace cuda_on_host

inline cuFloatComplex make_cuFloatComplex(float real, float imaginary) {
  return cuFloatComplex{real, imaginary};
}
inline cuComplex make_cuComplex(float real, float imaginary) { return cuComplex{real, imaginary}; }
inline float cuCrealf(cuFloatComplex x) { return x.x; }
inline float cuCimagf(cuFloatComplex x) { return x.y; }
inline cuFloatComplex cuConjf(cuFloatComplex x) { return cuFloatComplex{x.x, -x.y}; }
inline cuFloatComplex cuCaddf(cuFloatComplex a, cuFloatComplex b) {
  return cuFloatComplex{a.x + b.x, a.y + b.y};
}
inline cuFloatComplex cuCsubf(cuFloatComplex a, cuFloatComplex b) {
  return cuFloatComplex{a.x - b.x, a.y - b.y};
}
inline cuFloatComplex cuCmulf(cuFloatComplex a, cuFloatComplex b) {
  return ::cuda_on_host::complex_product(a, b);
}
inline cuFloatComplex cuCdivf(cuFloatComplex a, cuFloatComplex b) {
  return ::cuda_on_host::complex_quotient(a, b);
}
inline cuComplex cuCfmaf(cuComplex a, cuComplex b, cuComplex c) {
  return ::cuda_on_host::complex_fma(a, b, c);
}
inline float cuCabsf(cuFloatComplex x) { return ::cuda_on_host::complex_length(x); }

inline cuDoubleComplex make_cuDoubleComplex(double real, double imaginary) {
  return cuDoubleComplex{real, imaginary};
}
inline double cuCreal(cuDoubleComplex x) { return x.x; }
inline double cuCimag(cuDoubleComplex x) { return x.y; }
inline cuDoubleComplex cuConj(cuDoubleComplex x) { return cuDoubleComplex{x.x, -x.y}; }
inline cuDoubleComplex cuCadd(cuDoubleComplex a, cuDoubleComplex b) {
  return cuDoubleComplex{a.x + b.x, a.y + b.y};
}
inline cuDoubleComplex cuCsub(cuDoubleComplex a, cuDoubleComplex b) {
  return cuDoubleComplex{a.x - b.x, a.y - b.y};
}
inline cuDoubleComplex cuCmul(cuDoubleComplex a, cuDoubleComplex b) {
  return ::cuda_on_host::complex_product(a, b);
}
inline cuDoubleComplex cuCdiv(cuDoubleComplex a, cuDoubleComplex b) {
  return ::cuda_on_host::complex_quotient(a, b);
}
inline cuDoubleComplex cuCfma(cuDoubleComplex a, cuDoubleComplex b, cuDoubleComplex c) {
  return ::cuda_on_host::complex_fma(a, b, c);
}
inline double cuCabs(cuDoubleComplex x) { return ::cuda_on_host::complex_length(x); }

inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x) {
  return cuDoubleComplex{x.x, x.y};
}
inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x) {
  return cuFloatComplex{static_cast<float>(x.x), static_cast<float>(x.y)};
}
