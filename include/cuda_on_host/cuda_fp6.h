// CUDA's 6-bit floats, e3m2 and e2m3: single, in pairs and in fours. Each takes a byte.
#pragma once
#define __CUDA_FP6_H__            // programs test for it
#define __CUDA_FP6_TYPES_EXIST__  // and for this
#include <cuda_fp8.h>

#include "detail/round_mode.h"
#include "detail/tiny_float.h"

typedef __nv_fp8_storage_t __nv_fp6_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp6x2_storage_t;
typedef __nv_fp8x4_storage_t __nv_fp6x4_storage_t;

typedef enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 } __nv_fp6_interpretation_t;

namespace cuda_on_host {

inline std::uint8_t encode_fp6(double value, __nv_fp6_interpretation_t format, cudaRoundMode mode) {
  const rounding direction = nearest_or_zero(mode);
  return format == __NV_E3M2 ? finite_codec<e3m2_format>::encode(value, direction)
                             : finite_codec<e2m3_format>::encode(value, direction);
}
inline std::uint16_t fp6_to_half(std::uint8_t code, __nv_fp6_interpretation_t format) {
  return format == __NV_E3M2 ? tiny_to_half<e3m2_format>(code) : tiny_to_half<e2m3_format>(code);
}

}  // namespace cuda_on_host

// The mode is cudaRoundNearest or cudaRoundZero.
#define HEDDLE_KIND fp6
#define HEDDLE_MODE_PARAMETERS __nv_fp6_interpretation_t format, cudaRoundMode mode
#define HEDDLE_ENCODE(value) ::cuda_on_host::encode_fp6(value, format, mode)
#define HEDDLE_TO_HALF(code) ::cuda_on_host::fp6_to_half(code, format)
#define HEDDLE_WIDTH 8
#include "detail/tiny_conversions.inc"

#if defined(__CUDA_NO_FP6_CONVERSIONS__)
#define HEDDLE_WITH_CONVERSIONS 0
#else
#define HEDDLE_WITH_CONVERSIONS 1
#endif
#if defined(__CUDA_NO_FP6_CONVERSIONS__) || defined(__CUDA_NO_FP6_CONVERSION_OPERATORS__)
#define HEDDLE_WITH_OPERATORS 0
#else
#define HEDDLE_WITH_OPERATORS 1
#endif

#define HEDDLE_FORMAT e3m2
#define HEDDLE_CODEC finite_codec<::cuda_on_host::e3m2_format>
#define HEDDLE_PAIRS_BECOME_BFLOAT16 0
#include "detail/tiny_type.inc"

#define HEDDLE_FORMAT e2m3
#define HEDDLE_CODEC finite_codec<::cuda_on_host::e2m3_format>
#define HEDDLE_PAIRS_BECOME_BFLOAT16 0
#include "detail/tiny_type.inc"

#undef HEDDLE_KIND
#undef HEDDLE_WITH_CONVERSIONS
#undef HEDDLE_WITH_OPERATORS
