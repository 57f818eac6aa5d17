// CUDA's bfloat16: __nv_bfloat16 and __nv_bfloat162, their conversions, arithmetic and functions.
#pragma once
#define __CUDA_BF16_H__            // programs test for it
#define __CUDA_BF16_TYPES_EXIST__  // and for this
#include <math.h>

#include <cmath>
#include <cstdint>

#include <cache_functions.h>
#include <cuda_fp16.h>
#include <device_functions.h>
#include <type_conversions.h>
#include <vector_types.h>

#include "detail/narrow_float.h"

#define HEDDLE_WORD bfloat16
#define HEDDLE_SCALAR __nv_bfloat16
#define HEDDLE_PAIR __nv_bfloat162
#define HEDDLE_SCALAR_RAW __nv_bfloat16_raw
#define HEDDLE_PAIR_RAW __nv_bfloat162_raw
#define HEDDLE_FORMAT bfloat16_format
#define HEDDLE_OTHER_SCALAR __half
#if defined(__CUDA_NO_BFLOAT16_CONVERSIONS__)
#define HEDDLE_WITH_CONVERSIONS 0
#else
#define HEDDLE_WITH_CONVERSIONS 1
#endif
#include "detail/narrow_type.inc"

#include "detail/narrow_arithmetic.inc"

#if !defined(__CUDA_NO_BFLOAT16_OPERATORS__)
#define HEDDLE_OPERAND __nv_bfloat16
#define HEDDLE_OPERATION(name) __h##name
#define HEDDLE_QUOTIENT __hdiv
#define HEDDLE_COMPARED(name) __h##name
#define HEDDLE_ONE HEDDLE_NEAREST(1)
#include "detail/narrow_operators.inc"
#endif

#if !defined(__CUDA_NO_BFLOAT162_OPERATORS__)
#define HEDDLE_OPERAND __nv_bfloat162
#define HEDDLE_OPERATION(name) __h##name##2
#define HEDDLE_QUOTIENT __h2div
#define HEDDLE_COMPARED(name) __hb##name##2
#define HEDDLE_ONE HEDDLE_PAIR(HEDDLE_NEAREST(1), HEDDLE_NEAREST(1))
#include "detail/narrow_operators.inc"
#endif
#include "detail/narrow_shuffles.inc"

// Undefines the macros that the files above use.
#include "detail/narrow_end.inc"

// Conversions between the two 16-bit types, rounded once.
#if !defined(__CUDA_NO_BFLOAT16_CONVERSIONS__)
inline __nv_bfloat16::__nv_bfloat16(__half value)
    : __nv_bfloat16(::cuda_on_host::nearest_bfloat16(::cuda_on_host::value_of(value))) {}
#endif
#if !defined(__CUDA_NO_HALF_CONVERSIONS__)
inline __half::__half(__nv_bfloat16 value)
    : __half(::cuda_on_host::nearest_half(::cuda_on_host::value_of(value))) {}
#endif

using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

#define CUDART_INF_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7f80u))
#define CUDART_NAN_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7fffu))
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x0001u))
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7f7fu))
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x8000u))
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x0000u))
#define CUDART_ONE_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x3f80u))
