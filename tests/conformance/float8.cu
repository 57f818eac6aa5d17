// The 8-bit types e4m3, e5m2 and e8m0: conversions of every code, half and bfloat16.
#include <cuda_fp8.h>

#include "tiny.cuh"

using namespace conformance;

__device__ __nv_saturation_t saturation(unsigned index) {
  return index % 2 ? __NV_SATFINITE : __NV_NOSAT;
}
__device__ __nv_fp8_interpretation_t format(unsigned index) {
  return index / 2 % 2 ? __NV_E5M2 : __NV_E4M3;
}
__device__ cudaRoundMode direction(unsigned index) {
  return index / 2 % 2 ? cudaRoundZero : cudaRoundPosInf;
}

__global__ void codes_to_half(unsigned short* results) {
  // both codes of a pair vary
  for (unsigned pair = rank_in_grid(); pair < 65536; pair += grid_size()) {
    unsigned short* const row = results + pair * 6;
    for (unsigned i = 0; i < 2; ++i) {
      const auto both =
          __nv_cvt_fp8x2_to_halfraw2(static_cast<unsigned short>(pair), format(2 * i));
      row[3 * i] = both.x;
      row[3 * i + 1] = both.y;
      row[3 * i + 2] = __nv_cvt_fp8_to_halfraw(static_cast<unsigned char>(pair), format(2 * i)).x;
    }
  }
}

CASE(fp8_codes_to_half) {
  const buffer<unsigned short> results(65536 * 6);
  codes_to_half<<<32, 256>>>(results);
  show("bits", results);
}

__global__ void from_floats(unsigned char* results) {
  for (unsigned row = rank_in_grid(); row < float_rows; row += grid_size()) {
    for (unsigned k = 0; k < floats_in_row; ++k) {
      const float value = sample_float(row, k);
      for (unsigned i = 0; i < 4; ++i) {
        results[(row * floats_in_row + k) * 4 + i] =
            __nv_cvt_float_to_fp8(value, saturation(i), format(i));
      }
    }
  }
}

CASE(fp8_from_float) {
  const buffer<unsigned char> results(float_rows * floats_in_row * 4);
  from_floats<<<32, 256>>>(results);
  show("codes", results);
}

__global__ void from_doubles(unsigned char* results) {
  for (unsigned row = rank_in_grid(); row < double_rows; row += grid_size()) {
    for (unsigned k = 0; k < doubles_in_row; ++k) {
      const double value = sample_double(row, k);
      for (unsigned i = 0; i < 4; ++i) {
        results[(row * doubles_in_row + k) * 4 + i] =
            __nv_cvt_double_to_fp8(value, saturation(i), format(i));
      }
    }
  }
}

CASE(fp8_from_double) {
  const buffer<unsigned char> results(double_rows * doubles_in_row * 4);
  from_doubles<<<32, 256>>>(results);
  show("codes", results);
}

__global__ void from_16_bits(unsigned char* results) {
  for (unsigned bits = rank_in_grid(); bits < 65536; bits += grid_size()) {
    __half_raw half_bits;
    half_bits.x = static_cast<unsigned short>(bits);
    __nv_bfloat16_raw brain_bits;
    brain_bits.x = static_cast<unsigned short>(bits);
    for (unsigned i = 0; i < 4; ++i) {
      results[bits * 8 + i] = __nv_cvt_halfraw_to_fp8(half_bits, saturation(i), format(i));
      results[bits * 8 + 4 + i] = __nv_cvt_bfloat16raw_to_fp8(brain_bits, saturation(i), format(i));
    }
  }
}

CASE(fp8_from_every_half_and_bfloat16) {
  const buffer<unsigned char> results(65536 * 8);
  from_16_bits<<<32, 256>>>(results);
  show("codes", results);
}

__global__ void pairs(unsigned short* results) {
  for (unsigned i = rank_in_grid(); i < 20000; i += grid_size()) {
    const float x = sample_float(mix(i) >> 16, i % 5),
                y = sample_float(mix(i + 70000) >> 16, i % 3);
    __half2_raw halves;
    halves.x = static_cast<unsigned short>(mix(i + 1));
    halves.y = static_cast<unsigned short>(mix(i + 2));
    __nv_bfloat162_raw brains;
    brains.x = halves.x;
    brains.y = halves.y;
    const auto s = saturation(i);
    const auto f = format(i);
    unsigned short* const row = results + i * 4;
    row[0] = __nv_cvt_float2_to_fp8x2(make_float2(x, y), s, f);
    row[1] = __nv_cvt_double2_to_fp8x2(make_double2(x, y), s, f);
    row[2] = __nv_cvt_halfraw2_to_fp8x2(halves, s, f);
    row[3] = __nv_cvt_bfloat16raw2_to_fp8x2(brains, s, f);
  }
}

CASE(fp8_pairs) {
  const buffer<unsigned short> results(20000 * 4);
  pairs<<<32, 256>>>(results);
  show("codes", results);
}

CASE(e4m3_values) { show_values<__nv_fp8_e4m3>(); }
CASE(e5m2_values) { show_values<__nv_fp8_e5m2>(); }
CASE(e8m0_values) { show_values<__nv_fp8_e8m0>(); }

CASE(e4m3_constructors) { show_constructors<__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3>(); }
CASE(e5m2_constructors) { show_constructors<__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2>(); }
CASE(e8m0_constructors) { show_constructors<__nv_fp8_e8m0, __nv_fp8x2_e8m0, __nv_fp8x4_e8m0>(); }

__global__ void scale_factors(unsigned char* results) {
  for (unsigned row = rank_in_grid(); row < float_rows; row += grid_size()) {
    __nv_bfloat16_raw brain_bits;
    brain_bits.x = static_cast<unsigned short>(row);
    for (unsigned i = 0; i < 4; ++i) {
      unsigned char* const cell = results + (row * 4 + i) * 10;
      for (unsigned k = 0; k < floats_in_row; ++k) {
        cell[k] = __nv_cvt_float_to_e8m0(sample_float(row, k), saturation(i), direction(i));
      }
      for (unsigned k = 0; k < doubles_in_row; ++k) {
        cell[5 + k] = __nv_cvt_double_to_e8m0(sample_double(row, k), saturation(i), direction(i));
      }
      cell[9] = __nv_cvt_bfloat16raw_to_e8m0(brain_bits, saturation(i), direction(i));
    }
  }
}

CASE(e8m0_from_float_double_and_bfloat16) {
  const buffer<unsigned char> results(float_rows * 4 * 10);
  scale_factors<<<32, 256>>>(results);
  show("codes", results);
}

__global__ void scale_factor_pairs(unsigned short* results) {
  for (unsigned i = rank_in_grid(); i < 65536; i += grid_size()) {
    const float x = sample_float(mix(i) >> 16, i % 5),
                y = sample_float(mix(i + 70000) >> 16, i % 3);
    __nv_bfloat162_raw brains;
    brains.x = static_cast<unsigned short>(i);
    brains.y = static_cast<unsigned short>(mix(i));
    const __nv_bfloat162_raw values = __nv_cvt_e8m0x2_to_bf162raw(static_cast<unsigned short>(i));
    unsigned short* const row = results + i * 6;
    row[0] = __nv_cvt_float2_to_e8m0x2(make_float2(x, y), saturation(i), direction(i));
    row[1] = __nv_cvt_double2_to_e8m0x2(make_double2(x, y), saturation(i), direction(i));
    row[2] = __nv_cvt_bfloat162raw_to_e8m0x2(brains, saturation(i), direction(i));
    row[3] = values.x;
    row[4] = values.y;
    row[5] = __nv_cvt_e8m0_to_bf16raw(static_cast<unsigned char>(i)).x;
  }
}

CASE(e8m0_pairs) {
  const buffer<unsigned short> results(65536 * 6);
  scale_factor_pairs<<<32, 256>>>(results);
  show("bits", results);
}

CASE(e4m3_pairs_and_fours_to_float) { show_unpacked<__nv_fp8x2_e4m3, __nv_fp8x4_e4m3>(); }
CASE(e5m2_pairs_and_fours_to_float) { show_unpacked<__nv_fp8x2_e5m2, __nv_fp8x4_e5m2>(); }
CASE(e8m0_pairs_and_fours_to_float) { show_unpacked<__nv_fp8x2_e8m0, __nv_fp8x4_e8m0>(); }
