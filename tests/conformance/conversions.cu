// Conversions between integers and floating-point numbers in every rounding mode.
#include "conformance.hpp"
#include "values.cuh"

using namespace conformance;

inline constexpr unsigned samples = 8192;

// In range for every integer type below, so that only the rounding is tested.
__device__ float small_single(unsigned seed) {
  return static_cast<float>(static_cast<int>(mix(seed) % 2000001) - 1000000) / 64;
}

#define FOUR(row, first, function, value)                        \
  row[first] = static_cast<long long>(function##_rn(value));     \
  row[first + 1] = static_cast<long long>(function##_rz(value)); \
  row[first + 2] = static_cast<long long>(function##_ru(value)); \
  row[first + 3] = static_cast<long long>(function##_rd(value))

__global__ void rounded_singles(long long* results) {
  const float x = small_single(rank_in_grid());
  long long* const row = results + rank_in_grid() * 16;
  FOUR(row, 0, __float2int, x);
  FOUR(row, 4, __float2uint, fabsf(x));
  FOUR(row, 8, __float2ll, x * 1024);
  FOUR(row, 12, __float2ull, fabsf(x) * 1024);
}

CASE(float_to_integer_in_four_rounding_modes) {
  const buffer<long long> results(samples * 16);
  rounded_singles<<<samples / 256, 256>>>(results);
  show("integers", results);
}

__global__ void rounded_doubles(long long* results) {
  const double x = small_single(rank_in_grid()) + 1e-9;
  long long* const row = results + rank_in_grid() * 16;
  FOUR(row, 0, __double2int, x);
  FOUR(row, 4, __double2uint, fabs(x));
  FOUR(row, 8, __double2ll, x * 1e6);
  FOUR(row, 12, __double2ull, fabs(x) * 1e6);
}

CASE(double_to_integer_in_four_rounding_modes) {
  const buffer<long long> results(samples * 16);
  rounded_doubles<<<samples / 256, 256>>>(results);
  show("integers", results);
}

__global__ void saturated_singles(long long* results) {
  // out-of-range values saturate (PTX ISA, cvt)
  constexpr unsigned patterns[16] = {0x7f800000u, 0xff800000u, 0x4f000000u, 0xcf000000u,
                                     0x4effffffu, 0x4f7fffffu, 0x4f800000u, 0x5effffffu,
                                     0x5f000000u, 0xdf000000u, 0x5f7fffffu, 0x5f800000u,
                                     0xbf000000u, 0xbf800000u, 0x7f7fffffu, 0xcf000001u};
  const float x = __uint_as_float(patterns[threadIdx.x]);
  long long* const row = results + threadIdx.x * 16;
  FOUR(row, 0, __float2int, x);
  FOUR(row, 4, __float2uint, x);
  FOUR(row, 8, __float2ll, x);
  FOUR(row, 12, __float2ull, x);
}

CASE(float_to_integer_saturates) {
  const buffer<long long> results(16 * 16);
  saturated_singles<<<1, 16>>>(results);
  show("integers", results);
}

__global__ void saturated_doubles(long long* results) {
  const double values[12] = {1e300,        -1e300,       2147483647.5, -2147483648.5,
                             4294967295.5, 4294967296.0, -0.5,         -1.0,
                             9.3e18,       -9.3e18,      1.9e19,       2147483648.0};
  const double x = values[threadIdx.x];
  long long* const row = results + threadIdx.x * 16;
  FOUR(row, 0, __double2int, x);
  FOUR(row, 4, __double2uint, x);
  FOUR(row, 8, __double2ll, x);
  FOUR(row, 12, __double2ull, x);
}

CASE(double_to_integer_saturates) {
  const buffer<long long> results(12 * 16);
  saturated_doubles<<<1, 12>>>(results);
  show("integers", results);
}

__global__ void nans_to_integers(long long* results) {
  const float x = __uint_as_float(0x7fc00000u + threadIdx.x);
  results[threadIdx.x * 2] = __float2int_rn(x);
  results[threadIdx.x * 2 + 1] = __float2uint_rz(x);
}

CASE(float_nan_becomes_zero) {
  const buffer<long long> results(8);
  nans_to_integers<<<1, 4>>>(results);
  show("integers", results);
}

#define FOUR_FLOATS(row, first, function, value) \
  row[first] = function##_rn(value);             \
  row[first + 1] = function##_rz(value);         \
  row[first + 2] = function##_ru(value);         \
  row[first + 3] = function##_rd(value)

__global__ void integers_to_singles(float* results) {
  const unsigned long long wide = mix64(rank_in_grid()) >> rank_in_grid() % 60;
  const unsigned word = mix(rank_in_grid()) >> rank_in_grid() % 8;
  float* const row = results + rank_in_grid() * 16;
  FOUR_FLOATS(row, 0, __int2float, static_cast<int>(word));
  FOUR_FLOATS(row, 4, __uint2float, word);
  FOUR_FLOATS(row, 8, __ll2float, static_cast<long long>(wide));
  FOUR_FLOATS(row, 12, __ull2float, wide);
}

CASE(integer_to_float_in_four_rounding_modes) {
  const buffer<float> results(samples * 16);
  integers_to_singles<<<samples / 256, 256>>>(results);
  show("floats", results);
}

__global__ void integers_to_doubles(double* results) {
  const unsigned long long wide = mix64(rank_in_grid()) >> rank_in_grid() % 10;
  const unsigned word = mix(rank_in_grid());
  double* const row = results + rank_in_grid() * 10;
  FOUR_FLOATS(row, 0, __ll2double, static_cast<long long>(wide));
  FOUR_FLOATS(row, 4, __ull2double, wide);
  row[8] = __int2double_rn(static_cast<int>(word));
  row[9] = __uint2double_rn(word);
}

CASE(integer_to_double_in_four_rounding_modes) {
  const buffer<double> results(samples * 10);
  integers_to_doubles<<<samples / 256, 256>>>(results);
  show("doubles", results);
}

__global__ void doubles_to_singles(float* results) {
  const double x = __longlong_as_double(static_cast<long long>(
      (mix64(rank_in_grid()) & 0x87ffffffffffffffull) + 0x3400000000000000ull));
  float* const row = results + rank_in_grid() * 5;
  FOUR_FLOATS(row, 0, __double2float, x);
  row[4] = static_cast<float>(x);
}

CASE(double_to_float_in_four_rounding_modes) {
  const buffer<float> results(samples * 5);
  doubles_to_singles<<<samples / 256, 256>>>(results);
  show("floats", results);
}
