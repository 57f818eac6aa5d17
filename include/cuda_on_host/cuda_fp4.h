// CUDA's 4-bit float, e2m1: one in a byte, two in a byte, or four in two bytes.
#pragma once
#define __CUDA_FP4_H__            // programs test for it
#define __CUDA_FP4_TYPES_EXIST__  // and for this
#include <cuda_fp6.h>

#include "detail/round_mode.h"
#include "detail/tiny_float.h"

typedef __nv_fp8_storage_t __nv_fp4_storage_t;
typedef __nv_fp8_storage_t __nv_fp4x2_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp4x4_storage_t;

typedef enum __nv_fp4_interpretation_t { __NV_E2M1 } __nv_fp4_interpretation_t;

namespace cuda_on_host {

inline std::uint8_t encode_fp4(double value, __nv_fp4_interpretation_t, cudaRoundMode mode) {
  return finite_codec<e2m1_format>::encode(value, nearest_or_zero(mode));
}
inline std::uint16_t fp4_to_half(std::uint8_t code, __nv_fp4_interpretation_t) {
  return tiny_to_half<e2m1_format>(code);
}

}  // namespace cuda_on_host

// The mode is cudaRoundNearest or cudaRoundZero.
#define HEDDLE_KIND fp4
#define HEDDLE_MODE_PARAMETERS __nv_fp4_interpretation_t format, cudaRoundMode mode
#define HEDDLE_ENCODE(value) ::cuda_on_host::encode_fp4(value, format, mode)
#define HEDDLE_TO_HALF(code) ::cuda_on_host::fp4_to_half(code, format)
#define HEDDLE_WIDTH 4
#include "detail/tiny_conversions.inc"

#if defined(__CUDA_NO_FP4_CONVERSIONS__)
#define HEDDLE_WITH_CONVERSIONS 0
#else
#define HEDDLE_WITH_CONVERSIONS 1
#endif
#if defined(__CUDA_NO_FP4_CONVERSIONS__) || defined(__CUDA_NO_FP4_CONVERSION_OPERATORS__)
#define HEDDLE_WITH_OPERATORS 0
#else
#define HEDDLE_WITH_OPERATORS 1
#endif

#define HEDDLE_FORMAT e2m1
#define HEDDLE_CODEC finite_codec<::cuda_on_host::e2m1_format>
#define HEDDLE_PAIRS_BECOME_BFLOAT16 0
#include "detail/tiny_type.inc"

#undef HEDDLE_KIND
#undef HEDDLE_WITH_CONVERSIONS
#undef HEDDLE_WITH_OPERATORS
