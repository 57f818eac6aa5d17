// The 4-bit type e2m1: conversions of every code, half and bfloat16.
#include <cuda_fp4.h>

#include "tiny.cuh"

using namespace conformance;

__device__ cudaRoundMode direction(unsigned index) {
  return index % 2 ? cudaRoundZero : cudaRoundNearest;
}
__device__ __nv_fp4_interpretation_t format(unsigned) { return __NV_E2M1; }

__global__ void codes_to_half(unsigned short* results) {
  // both codes of a pair vary, and so do the bits that belong to no code
  for (unsigned pair = rank_in_grid(); pair < 65536; pair += grid_size()) {
    unsigned short* const row = results + pair * 6;
    for (unsigned i = 0; i < 2; ++i) {
      const auto both =
          __nv_cvt_fp4x2_to_halfraw2(static_cast<__nv_fp4x2_storage_t>(pair), format(2 * i));
      row[3 * i] = both.x;
      row[3 * i + 1] = both.y;
      row[3 * i + 2] =
          __nv_cvt_fp4_to_halfraw(static_cast<__nv_fp4_storage_t>(pair), format(2 * i)).x;
    }
  }
}

CASE(fp4_codes_to_half) {
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
            __nv_cvt_float_to_fp4(value, format(i), direction(i));
      }
    }
  }
}

CASE(fp4_from_float) {
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
            __nv_cvt_double_to_fp4(value, format(i), direction(i));
      }
    }
  }
}

CASE(fp4_from_double) {
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
      results[bits * 8 + i] = __nv_cvt_halfraw_to_fp4(half_bits, format(i), direction(i));
      results[bits * 8 + 4 + i] = __nv_cvt_bfloat16raw_to_fp4(brain_bits, format(i), direction(i));
    }
  }
}

CASE(fp4_from_every_half_and_bfloat16) {
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
    unsigned short* const row = results + i * 4;
    row[0] = __nv_cvt_float2_to_fp4x2(make_float2(x, y), format(i), direction(i));
    row[1] = __nv_cvt_double2_to_fp4x2(make_double2(x, y), format(i), direction(i));
    row[2] = __nv_cvt_halfraw2_to_fp4x2(halves, format(i), direction(i));
    row[3] = __nv_cvt_bfloat16raw2_to_fp4x2(brains, format(i), direction(i));
  }
}

CASE(fp4_pairs) {
  const buffer<unsigned short> results(20000 * 4);
  pairs<<<32, 256>>>(results);
  show("codes", results);
}

CASE(e2m1_values) { show_values<__nv_fp4_e2m1>(); }
CASE(e2m1_constructors) { show_constructors<__nv_fp4_e2m1, __nv_fp4x2_e2m1, __nv_fp4x4_e2m1>(); }
CASE(e2m1_pairs_and_fours_to_float) { show_unpacked<__nv_fp4x2_e2m1, __nv_fp4x4_e2m1>(); }
