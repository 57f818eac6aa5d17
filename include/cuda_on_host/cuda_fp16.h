// CUDA's half precision: __half and __half2, their conversions, arithmetic and functions.
#pragma once
#define __CUDA_FP16_H__            // programs test for it
#define __CUDA_FP16_TYPES_EXIST__  // and for this
#include <math.h>

#include <cmath>
#include <cstdint>

#include <cache_functions.h>
#include <device_functions.h>
#include <type_conversions.h>
#include <vector_types.h>

#include "detail/narrow_float.h"

struct __nv_bfloat16;  // defined, with the conversion from it, in cuda_bf16.h

#define HEDDLE_WORD half
#define HEDDLE_SCALAR __half
#define HEDDLE_PAIR __half2
#define HEDDLE_SCALAR_RAW __half_raw
#define HEDDLE_PAIR_RAW __half2_raw
#define HEDDLE_FORMAT half_format
#define HEDDLE_OTHER_SCALAR __nv_bfloat16
#if defined(__CUDA_NO_HALF_CONVERSIONS__)
#define HEDDLE_WITH_CONVERSIONS 0
#else
#define HEDDLE_WITH_CONVERSIONS 1
#endif
#include "detail/narrow_type.inc"

#include "detail/narrow_arithmetic.inc"

#if !defined(__CUDA_NO_HALF_OPERATORS__)
#define HEDDLE_OPERAND __half
#define HEDDLE_OPERATION(name) __h##name
#define HEDDLE_QUOTIENT __hdiv
#define HEDDLE_COMPARED(name) __h##name
#define HEDDLE_ONE HEDDLE_NEAREST(1)
#include "detail/narrow_operators.inc"
#endif

#if !defined(__CUDA_NO_HALF2_OPERATORS__)
#define HEDDLE_OPERAND __half2
#define HEDDLE_OPERATION(name) __h##name##2
#define HEDDLE_QUOTIENT __h2div
#define HEDDLE_COMPARED(name) __hb##name##2
#define HEDDLE_ONE HEDDLE_PAIR(HEDDLE_NEAREST(1), HEDDLE_NEAREST(1))
#include "detail/narrow_operators.inc"
#endif
#include "detail/narrow_shuffles.inc"

// Undefines the macros that the files above use.
#include "detail/narrow_end.inc"

using __nv_half = __half;
using __nv_half2 = __half2;
using __nv_half_raw = __half_raw;
using __nv_half2_raw = __half2_raw;
using nv_half = __half;
using nv_half2 = __half2;
#if !defined(CUDA_NO_HALF)
using half = __half;
using half2 = __half2;
#endif

#define CUDART_INF_FP16 __ushort_as_half(static_cast<unsigned short>(0x7c00u))
#define CUDART_NAN_FP16 __ushort_as_half(static_cast<unsigned short>(0x7fffu))
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(static_cast<unsigned short>(0x0001u))
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(static_cast<unsigned short>(0x7bffu))
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(static_cast<unsigned short>(0x8000u))
#define CUDART_ZERO_FP16 __ushort_as_half(static_cast<unsigned short>(0x0000u))
#define CUDART_ONE_FP16 __ushort_as_half(static_cast<unsigned short>(0x3c00u))
