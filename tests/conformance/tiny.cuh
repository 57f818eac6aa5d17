// Sample values, and kernels for any of the types, for the cases about formats of 8, 6 and 4 bits.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "conformance.hpp"
#include "values.cuh"

namespace conformance {

// Rows of five floats. The row is the upper half of their bits, and five patterns are the lower
// half. In the formats here, numbers and midpoints have only zeros there, so all of them are
// samples, and so are the floats right above and below.
inline constexpr unsigned float_rows = 65536;
inline constexpr unsigned floats_in_row = 5;
__device__ inline float sample_float(unsigned row, unsigned index) {
  const unsigned low[floats_in_row] = {0, 1, 0x8000, 0xffff, mix(row) & 0xffff};
  return __uint_as_float(row << 16 | low[index]);
}

// Rows of four doubles. The row is the upper quarter of the bits of the first one: most of these
// are out of range, and some are infinite or NaN. The others are numbers and midpoints of the
// formats, and the doubles right above and below.
inline constexpr unsigned double_rows = 65536;
inline constexpr unsigned doubles_in_row = 4;
__device__ inline double sample_double(unsigned row, unsigned index) {
  if (index == 0) {
    const unsigned low = row % 3 ? mix(row) : 0;
    return __hiloint2double(static_cast<int>(row << 16 | (mix(row + 9) & 0xffff)),
                            static_cast<int>(low));
  }
  // A sign, an exponent from -40 to 23 and a fraction of 9 bits, from the bits of the row.
  const unsigned exponent = 1023 - 40 + (row >> 9 & 63);
  const long long bits = static_cast<long long>(static_cast<unsigned long long>(row >> 15) << 63 |
                                                static_cast<unsigned long long>(exponent) << 52 |
                                                static_cast<unsigned long long>(row & 511) << 43);
  return __longlong_as_double(bits + static_cast<long long>(index) - 2);
}

// The value of each code in every type that it converts to.
template <typename Number>
__global__ void values(long long* integers, float* floats) {
  for (unsigned code = rank_in_grid(); code < 256; code += grid_size()) {
    Number number;
    number.__x = static_cast<unsigned char>(code);
    floats[code * 4] = static_cast<float>(number);
    floats[code * 4 + 1] = static_cast<float>(static_cast<double>(number));
    floats[code * 4 + 2] = __half2float(static_cast<__half>(number));
    floats[code * 4 + 3] = __bfloat162float(static_cast<__nv_bfloat16>(number));
    long long* const row = integers + code * 10;
    row[0] = static_cast<signed char>(number);
    row[1] = static_cast<unsigned char>(number);
    row[2] = static_cast<short>(number);
    row[3] = static_cast<unsigned short>(number);
    row[4] = static_cast<int>(number);
    row[5] = static_cast<unsigned int>(number);
    row[6] = static_cast<long>(number);
    row[7] = static_cast<long long>(number);
    row[8] = static_cast<long long>(static_cast<unsigned long long>(number));
    row[9] = static_cast<bool>(number);
  }
}

template <typename Number>
void show_values() {
  const buffer<long long> integers(256 * 10);
  const buffer<float> floats(256 * 4);
  values<Number><<<1, 256>>>(integers, floats);
  show("integers", integers);
  show("floats", floats);
}

// The types' constructors, which saturate.
template <typename Number, typename Pair, typename Four>
__global__ void constructors(unsigned* results) {
  for (unsigned i = rank_in_grid(); i < 20000; i += grid_size()) {
    const float a = sample_float(mix(i) >> 16, i % 5),
                b = sample_float(mix(i + 70000) >> 16, i % 4);
    const __half half_number = __ushort_as_half(static_cast<unsigned short>(mix(i + 1)));
    const __half2 halves = __halves2half2(half_number, __float2half(b));
    const __nv_bfloat162 brains = __floats2bfloat162_rn(b, a);
    const unsigned long long wide = mix64(i) >> i % 64;
    unsigned* const row = results + i * 20;
    row[0] = Number(a).__x;
    row[1] = Number(static_cast<double>(b)).__x;
    row[2] = Number(half_number).__x;
    row[3] = Number(__low2bfloat16(brains)).__x;
    row[4] = Number(static_cast<short>(wide)).__x;
    row[5] = Number(static_cast<unsigned short>(wide)).__x;
    row[6] = Number(static_cast<int>(wide)).__x;
    row[7] = Number(static_cast<unsigned int>(wide)).__x;
    row[8] = Number(static_cast<long>(wide)).__x;
    row[9] = Number(static_cast<unsigned long>(wide)).__x;
    row[10] = Number(static_cast<long long>(0 - wide)).__x;
    row[11] = Number(wide).__x;
    row[12] = Pair(make_float2(a, b)).__x;
    row[13] = Pair(make_double2(a, b)).__x;
    row[14] = Pair(halves).__x;
    row[15] = Pair(brains).__x;
    row[16] = Four(make_float4(a, b, b, a)).__x;
    row[17] = Four(make_double4_16a(a, b, b, a)).__x;
    row[18] = Four(halves, halves).__x;
    row[19] = Four(brains, __floats2bfloat162_rn(a, b)).__x;
  }
}

template <typename Number, typename Pair, typename Four>
void show_constructors() {
  const buffer<unsigned> results(20000 * 20);
  constructors<Number, Pair, Four><<<32, 256>>>(results);
  show("codes", results);
}

template <typename Pair, typename Four>
__global__ void unpack(float* results) {
  for (unsigned i = rank_in_grid(); i < 65536; i += grid_size()) {
    Pair pair;
    pair.__x = static_cast<decltype(pair.__x)>(i);
    Four four;
    four.__x = static_cast<decltype(four.__x)>(i * 65537u ^ 0x3c5a0000u);
    const float2 two = static_cast<float2>(pair);
    const float2 halves = __half22float2(static_cast<__half2>(pair));
    const float4 all = static_cast<float4>(four);
    const float row[8] = {two.x, two.y, halves.x, halves.y, all.x, all.y, all.z, all.w};
    for (int k = 0; k < 8; ++k) results[i * 8 + k] = row[k];
  }
}

template <typename Pair, typename Four>
void show_unpacked() {
  const buffer<float> results(65536 * 8);
  unpack<Pair, Four><<<32, 256>>>(results);
  show("floats", results);
}

}  // namespace conformance
