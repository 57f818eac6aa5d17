// Sample values and bit patterns for the cases about half and bfloat16.
#pragma once
#include "conformance.hpp"
#include "values.cuh"

namespace conformance {

// The bits of a 16-bit float, with one pattern for all NaNs: CUDA does not define which one it is.
__device__ inline unsigned short half_bits(__half value) {
  const unsigned short bits = __half_as_ushort(value);
  return (bits & 0x7fff) > 0x7c00 ? 0x7fff : bits;
}
__device__ inline unsigned short bfloat_bits(__nv_bfloat16 value) {
  const unsigned short bits = __bfloat16_as_ushort(value);
  return (bits & 0x7fff) > 0x7f80 ? 0x7fff : bits;
}

// Zeros, ones, the smallest and largest of each kind, infinities and NaNs of half and bfloat16.
#define HALF_SPECIALS                                                                           \
  {                                                                                             \
    0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x0400, 0x8400, 0x3800, 0x3c00, 0xbc00, 0x3c01,     \
        0x4000, 0x4248, 0x64d0, 0xe4d0, 0x7800, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x7c01, \
        0xfe01, 0x7fff                                                                          \
  }
#define BFLOAT_SPECIALS                                                                         \
  {                                                                                             \
    0x0000, 0x8000, 0x0001, 0x8001, 0x007f, 0x0080, 0x8080, 0x3f00, 0x3f80, 0xbf80, 0x3f81,     \
        0x4000, 0x4049, 0x461c, 0xc61c, 0x7f00, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc0, 0x7f81, \
        0xffc1, 0x7fff                                                                          \
  }
inline constexpr int special_count = 24;

}  // namespace conformance
