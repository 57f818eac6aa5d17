// The element formats of textures and arrays, and their sizes.
#pragma once
#include <cstddef>

#include <driver_types.h>

namespace heddle_host::api {

// The number of channels; 0 if the format is invalid.
inline unsigned channels_of(const cudaChannelFormatDesc& format) {
  const int bits = format.x;
  const bool is_integer =
      format.f == cudaChannelFormatKindSigned || format.f == cudaChannelFormatKindUnsigned;
  const bool is_float = format.f == cudaChannelFormatKindFloat;
  if (!(bits == 8 && is_integer) && !((bits == 16 || bits == 32) && (is_integer || is_float))) {
    return 0;
  }
  const auto rest_is = [&](int y, int z, int w) {
    return format.y == y && format.z == z && format.w == w;
  };
  return rest_is(0, 0, 0) ? 1 : rest_is(bits, 0, 0) ? 2 : rest_is(bits, bits, bits) ? 4 : 0;
}

// For valid formats only.
inline unsigned channel_bytes_of(const cudaChannelFormatDesc& format) {
  return static_cast<unsigned>(format.x) / 8;
}

inline std::size_t element_bytes_of(const cudaChannelFormatDesc& format) {
  return std::size_t{channels_of(format)} * channel_bytes_of(format);
}

}  // namespace heddle_host::api
