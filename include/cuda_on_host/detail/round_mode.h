// Converts a cudaRoundMode, for functions that support only some of the modes.
#pragma once
#include <cassert>

#include <device_types.h>

#include "exact_rounding.h"

namespace cuda_on_host {

inline rounding meaning_of(cudaRoundMode mode) {
  switch (mode) {
    case cudaRoundZero:
      return rounding::zero;
    case cudaRoundPosInf:
      return rounding::up;
    case cudaRoundMinInf:
      return rounding::down;
    default:
      return rounding::nearest;
  }
}

// For formats that round to nearest or towards zero.
inline rounding nearest_or_zero(cudaRoundMode mode) {
  assert(mode == cudaRoundNearest || mode == cudaRoundZero);
  return meaning_of(mode);
}

// For scale factors, which round up or towards zero.
inline rounding up_or_zero(cudaRoundMode mode) {
  assert(mode == cudaRoundPosInf || mode == cudaRoundZero);
  return meaning_of(mode);
}

}  // namespace cuda_on_host
