// CUDA's 8-bit floats, e4m3, e5m2 and the scale factor e8m0: single, in pairs and in fours.
#pragma once
#define __CUDA_FP8_H__            // programs test for it
#define __CUDA_FP8_TYPES_EXIST__  // and for this
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <device_types.h>
#include <vector_types.h>

#include "detail/round_mode.h"
#include "detail/tiny_float.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;

// Without saturation, a value out of range becomes infinity in e5m2 and NaN in the other formats.
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

namespace cuda_on_host {

template <typename Float>
inline std::uint8_t encode_fp8(Float value, __nv_saturation_t saturation,
                               __nv_fp8_interpretation_t format) {
  const bool saturates = saturation == __NV_SATFINITE;
  return format == __NV_E4M3 ? fp8_codec<e4m3_format>::encode(value, saturates)
                             : fp8_codec<e5m2_format>::encode(value, saturates);
}
inline std::uint16_t fp8_to_half(std::uint8_t code, __nv_fp8_interpretation_t format) {
  return format == __NV_E4M3 ? tiny_to_half<e4m3_format>(code) : tiny_to_half<e5m2_format>(code);
}
inline std::uint8_t encode_e8m0(double value, __nv_saturation_t saturation, cudaRoundMode mode) {
  return e8m0_codec::encode(value, saturation == __NV_SATFINITE, up_or_zero(mode));
}

}  // namespace cuda_on_host

#define HEDDLE_KIND fp8
#define HEDDLE_MODE_PARAMETERS __nv_saturation_t saturation, __nv_fp8_interpretation_t format
#define HEDDLE_ENCODE(value) ::cuda_on_host::encode_fp8(value, saturation, format)
#define HEDDLE_TO_HALF(code) ::cuda_on_host::fp8_to_half(code, format)
#define HEDDLE_WIDTH 8
#include "detail/tiny_conversions.inc"

// Scale factors: the mode is cudaRoundPosInf or cudaRoundZero.
inline __nv_fp8_storage_t __nv_cvt_double_to_e8m0(double value, __nv_saturation_t saturation,
                                                  cudaRoundMode mode) {
  return ::cuda_on_host::encode_e8m0(value, saturation, mode);
}
inline __nv_fp8_storage_t __nv_cvt_float_to_e8m0(float value, __nv_saturation_t saturation,
                                                 cudaRoundMode mode) {
  return ::cuda_on_host::encode_e8m0(value, saturation, mode);
}
inline __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw value,
                                                       __nv_saturation_t saturation,
                                                       cudaRoundMode mode) {
  return ::cuda_on_host::encode_e8m0(__bfloat162float(value), saturation, mode);
}
inline __nv_fp8x2_storage_t __nv_cvt_double2_to_e8m0x2(double2 value, __nv_saturation_t saturation,
                                                       cudaRoundMode mode) {
  return static_cast<__nv_fp8x2_storage_t>(::cuda_on_host::encode_e8m0(value.x, saturation, mode) |
                                           ::cuda_on_host::encode_e8m0(value.y, saturation, mode)
                                               << 8);
}
inline __nv_fp8x2_storage_t __nv_cvt_float2_to_e8m0x2(float2 value, __nv_saturation_t saturation,
                                                      cudaRoundMode mode) {
  return __nv_cvt_double2_to_e8m0x2(double2{value.x, value.y}, saturation, mode);
}
inline __nv_fp8x2_storage_t __nv_cvt_bfloat162raw_to_e8m0x2(__nv_bfloat162_raw value,
                                                            __nv_saturation_t saturation,
                                                            cudaRoundMode mode) {
  return __nv_cvt_float2_to_e8m0x2(__bfloat1622float2(value), saturation, mode);
}
inline __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t code) {
  return __nv_bfloat16_raw{::cuda_on_host::e8m0_codec::to_bfloat16(code)};
}
inline __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(__nv_fp8x2_storage_t codes) {
  using codec = ::cuda_on_host::e8m0_codec;
  return __nv_bfloat162_raw{codec::to_bfloat16(static_cast<std::uint8_t>(codes)),
                            codec::to_bfloat16(static_cast<std::uint8_t>(codes >> 8))};
}

#if defined(__CUDA_NO_FP8_CONVERSIONS__)
#define HEDDLE_WITH_CONVERSIONS 0
#else
#define HEDDLE_WITH_CONVERSIONS 1
#endif
#if defined(__CUDA_NO_FP8_CONVERSIONS__) || defined(__CUDA_NO_FP8_CONVERSION_OPERATORS__)
#define HEDDLE_WITH_OPERATORS 0
#else
#define HEDDLE_WITH_OPERATORS 1
#endif

#define HEDDLE_FORMAT e4m3
#define HEDDLE_CODEC fp8_codec<::cuda_on_host::e4m3_format>
#define HEDDLE_PAIRS_BECOME_BFLOAT16 0
#include "detail/tiny_type.inc"

#define HEDDLE_FORMAT e5m2
#define HEDDLE_CODEC fp8_codec<::cuda_on_host::e5m2_format>
#define HEDDLE_PAIRS_BECOME_BFLOAT16 0
#include "detail/tiny_type.inc"

#define HEDDLE_FORMAT e8m0
#define HEDDLE_CODEC e8m0_codec
#define HEDDLE_PAIRS_BECOME_BFLOAT16 1
#include "detail/tiny_type.inc"

#undef HEDDLE_KIND
#undef HEDDLE_WITH_CONVERSIONS
#undef HEDDLE_WITH_OPERATORS
