// Floating-point functions whose result CUDA defines to the last bit.
#include "conformance.hpp"
#include "values.cuh"

using namespace conformance;

inline constexpr unsigned samples = 8192, columns = 16;

// One special value in 32; of the others, a quarter are any bit pattern, the rest moderate numbers.
__device__ float single(unsigned seed) {
  constexpr unsigned special[8] = {0u,          0x80000000u, 0x3f800000u, 0x7f800000u,
                                   0xff800000u, 0x7fc00000u, 1u,          0x7f7fffffu};
  const unsigned bits = mix(seed);
  if (bits % 32 == 0) return __uint_as_float(special[bits / 32 % 8]);
  return __uint_as_float(bits % 4 ? (bits & 0x87ffffffu) + 0x3c000000u : mix(bits));
}
__device__ double doubled(unsigned seed) {
  constexpr unsigned long long special[8] = {0ull,
                                             0x8000000000000000ull,
                                             0x3ff0000000000000ull,
                                             0x7ff0000000000000ull,
                                             0xfff0000000000000ull,
                                             0x7ff8000000000000ull,
                                             1ull,
                                             0x7fefffffffffffffull};
  const unsigned long long bits = mix64(seed);
  if (bits % 32 == 0) return __longlong_as_double(static_cast<long long>(special[bits / 32 % 8]));
  return __longlong_as_double(
      static_cast<long long>(bits % 4 ? (bits & 0x80ffffffffffffffull) + 0x3f80000000000000ull
                                      : mix64(static_cast<unsigned>(bits))));
}

// Makes signalling NaNs quiet, because the C library may treat them differently in fmin.
__device__ float quiet(float x) {
  return isnan(x) ? __uint_as_float(__float_as_uint(x) | 0x00400000u) : x;
}
__device__ double quiet(double x) {
  return isnan(x) ? __longlong_as_double(__double_as_longlong(x) | 0x0008000000000000ll) : x;
}

template <typename T, typename Kernel>
void show_columns(Kernel kernel) {
  const buffer<T> results(samples * columns, 0);
  kernel<<<samples / 256, 256>>>(static_cast<T*>(results));
  const std::vector<T> all = results.read();
  for (unsigned column = 0; column < columns; ++column) {
    std::vector<T> one(samples);
    for (unsigned i = 0; i < samples; ++i) one[i] = all[i * columns + column];
    show(std::to_string(column).c_str(), one);
  }
}

__global__ void directed_single(float* results) {
  const float a = single(3 * rank_in_grid()), b = single(3 * rank_in_grid() + 1);
  float* const row = results + rank_in_grid() * columns;
  row[0] = __fadd_rn(a, b), row[1] = __fadd_rz(a, b), row[2] = __fadd_ru(a, b),
  row[3] = __fadd_rd(a, b);
  row[4] = __fsub_rn(a, b), row[5] = __fsub_rz(a, b), row[6] = __fsub_ru(a, b),
  row[7] = __fsub_rd(a, b);
  row[8] = __fmul_rn(a, b), row[9] = __fmul_rz(a, b), row[10] = __fmul_ru(a, b),
  row[11] = __fmul_rd(a, b);
  row[12] = __fdiv_rn(a, b), row[13] = __fdiv_rz(a, b), row[14] = __fdiv_ru(a, b),
  row[15] = __fdiv_rd(a, b);
}

CASE(float_arithmetic_in_four_rounding_modes) { show_columns<float>(directed_single); }

__global__ void more_directed_single(float* results) {
  const float a = single(3 * rank_in_grid()), b = single(3 * rank_in_grid() + 1);
  const float c = single(3 * rank_in_grid() + 2);
  float* const row = results + rank_in_grid() * columns;
  row[0] = __fmaf_rn(a, b, c), row[1] = __fmaf_rz(a, b, c);
  row[2] = __fmaf_ru(a, b, c), row[3] = __fmaf_rd(a, b, c);
  row[4] = __frcp_rn(a), row[5] = __frcp_rz(a), row[6] = __frcp_ru(a), row[7] = __frcp_rd(a);
  row[8] = __fsqrt_rn(a), row[9] = __fsqrt_rz(a), row[10] = __fsqrt_ru(a), row[11] = __fsqrt_rd(a);
  row[12] = fmaf(c, a, b), row[13] = __frsqrt_rn(a), row[14] = a / b, row[15] = sqrtf(b);
}

CASE(float_fma_reciprocal_root_in_four_rounding_modes) {
  show_columns<float>(more_directed_single);
}

__global__ void directed_double(double* results) {
  const double a = doubled(3 * rank_in_grid()), b = doubled(3 * rank_in_grid() + 1);
  double* const row = results + rank_in_grid() * columns;
  row[0] = __dadd_rn(a, b), row[1] = __dadd_rz(a, b), row[2] = __dadd_ru(a, b),
  row[3] = __dadd_rd(a, b);
  row[4] = __dsub_rn(a, b), row[5] = __dsub_rz(a, b), row[6] = __dsub_ru(a, b),
  row[7] = __dsub_rd(a, b);
  row[8] = __dmul_rn(a, b), row[9] = __dmul_rz(a, b), row[10] = __dmul_ru(a, b),
  row[11] = __dmul_rd(a, b);
  row[12] = __ddiv_rn(a, b), row[13] = __ddiv_rz(a, b), row[14] = __ddiv_ru(a, b),
  row[15] = __ddiv_rd(a, b);
}

CASE(double_arithmetic_in_four_rounding_modes) { show_columns<double>(directed_double); }

__global__ void more_directed_double(double* results) {
  const double a = doubled(3 * rank_in_grid()), b = doubled(3 * rank_in_grid() + 1);
  const double c = doubled(3 * rank_in_grid() + 2);
  double* const row = results + rank_in_grid() * columns;
  row[0] = __fma_rn(a, b, c), row[1] = __fma_rz(a, b, c);
  row[2] = __fma_ru(a, b, c), row[3] = __fma_rd(a, b, c);
  row[4] = __drcp_rn(a), row[5] = __drcp_rz(a), row[6] = __drcp_ru(a), row[7] = __drcp_rd(a);
  row[8] = __dsqrt_rn(a), row[9] = __dsqrt_rz(a), row[10] = __dsqrt_ru(a), row[11] = __dsqrt_rd(a);
  row[12] = fma(c, a, b), row[13] = a / b, row[14] = sqrt(b), row[15] = b - c;
}

CASE(double_fma_reciprocal_root_in_four_rounding_modes) {
  show_columns<double>(more_directed_double);
}

__global__ void whole_single(float* results) {
  const float a = single(rank_in_grid());
  const float small = a > -1e6f && a < 1e6f ? a : 2.5f;
  float* const row = results + rank_in_grid() * columns;
  row[0] = floorf(a), row[1] = ceilf(a), row[2] = truncf(a), row[3] = rintf(a);
  row[4] = roundf(a), row[5] = nearbyintf(a), row[6] = static_cast<float>(lrintf(small));
  row[7] = static_cast<float>(llrintf(small)), row[8] = static_cast<float>(lroundf(small));
  row[9] = static_cast<float>(llroundf(small)), row[10] = fabsf(a), row[11] = __saturatef(a);
  row[12] = static_cast<float>(static_cast<int>(small)), row[13] = floor(a), row[14] = round(a);
  row[15] = static_cast<float>(static_cast<long long>(small));
}

CASE(float_to_whole_numbers) { show_columns<float>(whole_single); }

__global__ void whole_double(double* results) {
  const double a = doubled(rank_in_grid());
  const double small = a > -1e15 && a < 1e15 ? a : 2.5;
  double* const row = results + rank_in_grid() * columns;
  row[0] = floor(a), row[1] = ceil(a), row[2] = trunc(a), row[3] = rint(a), row[4] = round(a);
  row[5] = nearbyint(a), row[6] = static_cast<double>(llrint(small));
  row[7] = static_cast<double>(llround(small)), row[8] = fabs(a);
  row[9] = static_cast<double>(static_cast<long long>(small));
}

CASE(double_to_whole_numbers) { show_columns<double>(whole_double); }

__global__ void pairs_single(float* results) {
  const float a = quiet(single(2 * rank_in_grid())), b = quiet(single(2 * rank_in_grid() + 1));
  const bool both_zero = a == 0 && b == 0;  // it is not defined which zero is the smaller one
  float* const row = results + rank_in_grid() * columns;
  row[0] = both_zero ? 0 : fminf(a, b), row[1] = both_zero ? 0 : fmaxf(a, b);
  row[2] = copysignf(a, b), row[3] = fdimf(a, b), row[4] = fmodf(a, b), row[5] = remainderf(a, b);
  row[6] = nextafterf(a, b);
  row[7] = static_cast<float>((isnan(a) ? 1 : 0) + (isinf(a) ? 2 : 0) + (isfinite(a) ? 4 : 0) +
                              (signbit(b) ? 8 : 0));
  row[8] = static_cast<float>((a < b) + 2 * (a <= b) + 4 * (a == b) + 8 * (a != b) + 16 * (a > b) +
                              32 * (a >= b));
}

CASE(float_functions_of_two_arguments) { show_columns<float>(pairs_single); }

__global__ void pairs_double(double* results) {
  const double a = quiet(doubled(2 * rank_in_grid())), b = quiet(doubled(2 * rank_in_grid() + 1));
  const bool both_zero = a == 0 && b == 0;
  double* const row = results + rank_in_grid() * columns;
  row[0] = both_zero ? 0 : fmin(a, b), row[1] = both_zero ? 0 : fmax(a, b);
  row[2] = copysign(a, b), row[3] = fdim(a, b), row[4] = fmod(a, b), row[5] = remainder(a, b);
  row[6] = nextafter(a, b);
  row[7] = (a < b) + 2 * (a <= b) + 4 * (a == b) + 8 * (a != b) + 16 * (a > b) + 32 * (a >= b);
}

CASE(double_functions_of_two_arguments) { show_columns<double>(pairs_double); }

__global__ void parts_single(float* results) {
  const float a = single(rank_in_grid());
  float* const row = results + rank_in_grid() * columns;
  int exponent = 0;
  const float number = isfinite(a) ? a : 1.0f;
  row[0] = frexpf(number, &exponent), row[1] = static_cast<float>(exponent);
  row[2] = ldexpf(a, static_cast<int>(mix(rank_in_grid()) % 60) - 30);
  row[3] = scalbnf(a, -140), row[4] = scalbnf(a, 120), row[5] = logbf(a);
  row[6] = static_cast<float>(ilogbf(a));
  float whole = 0;
  row[7] = modff(a, &whole), row[8] = whole;
  int quotient = 0;
  row[9] = remquof(number, 0.75f, &quotient);
  row[10] = static_cast<float>(quotient & 7);
}

CASE(float_exponents_and_parts) { show_columns<float>(parts_single); }

__global__ void parts_double(double* results) {
  const double a = doubled(rank_in_grid());
  double* const row = results + rank_in_grid() * columns;
  int exponent = 0;
  const double number = isfinite(a) ? a : 1.0;
  row[0] = frexp(number, &exponent), row[1] = exponent;
  row[2] = ldexp(a, static_cast<int>(mix(rank_in_grid()) % 60) - 30);
  row[3] = scalbn(a, -1060), row[4] = scalbn(a, 1000), row[5] = logb(a), row[6] = ilogb(a);
  double whole = 0;
  row[7] = modf(a, &whole), row[8] = whole;
}

CASE(double_exponents_and_parts) { show_columns<double>(parts_double); }
