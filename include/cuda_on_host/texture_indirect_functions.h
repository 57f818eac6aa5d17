// Fetches from texture objects over linear memory; CUDA's other texture functions report that they
// are not available.
#pragma once
#define __TEXTURE_INDIRECT_FUNCTIONS_H__  // programs test for it
#include <cstdint>
#include <cstring>

#include <texture_types.h>
#include <heddle_host/texture.hpp>

#include "detail/narrow_float.h"
#include "detail/texel.h"

namespace cuda_on_host {

inline std::uint32_t load_channel(const unsigned char* address, unsigned bytes) {
  switch (bytes) {
    case 1:
      return *address;
    case 2:
      return *reinterpret_cast<const std::uint16_t*>(address);
    default:
      return *reinterpret_cast<const std::uint32_t*>(address);
  }
}

inline std::uint32_t bits_of_float(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

// A channel's value in a 32-bit register.
inline std::uint32_t read_channel(const unsigned char* address, unsigned bytes,
                                  ::heddle_host::channel_reading reading) {
  using ::heddle_host::channel_reading;
  const std::uint32_t bits = load_channel(address, bytes);
  const unsigned unused = 32 - 8 * bytes;
  const auto with_sign = static_cast<std::int32_t>(bits << unused) >> unused;
  const float largest_bits = static_cast<float>(0xffffffffu >> unused);
  switch (reading) {
    case channel_reading::with_sign:
      return static_cast<std::uint32_t>(with_sign);
    case channel_reading::from_half:
      return bits_of_float(widen_to_single<half_format>(static_cast<std::uint16_t>(bits)));
    case channel_reading::normalized:
      return bits_of_float(static_cast<float>(bits) / largest_bits);
    case channel_reading::normalized_with_sign: {
      const float value = static_cast<float>(with_sign) / static_cast<float>(0x7fffffffu >> unused);
      return bits_of_float(value < -1.0f ? -1.0f : value);  // two bit patterns mean -1
    }
    default:
      return bits;
  }
}

}  // namespace cuda_on_host

// As on the GPU, the texture's format decides what is loaded into the registers, and the requested
// type only how they are interpreted. It should be the format's own type, or float for normalized
// reads. Channels that the texture does not have are zero, and so are all channels out of range.
template <typename T>
inline void tex1Dfetch(T* value, cudaTextureObject_t object, int index) {
  using shape = ::cuda_on_host::texel<T>;
  static_assert(shape::count != 0,
                "a texture's element is one, two or four integers of 8, 16 or 32 bits or floats");
  const ::heddle_host::texture texture = ::heddle_host::texture_of(object);
  typename shape::channel channels[shape::count == 0 ? 1 : shape::count] = {};
  if (index >= 0 && static_cast<std::size_t>(index) < texture.elements) {
    const unsigned bytes = texture.channel_bytes;
    const unsigned char* address =
        texture.memory + static_cast<std::size_t>(index) * texture.channels * bytes;
    for (unsigned k = 0; k < shape::count && k < texture.channels; ++k, address += bytes) {
      const std::uint32_t bits = ::cuda_on_host::read_channel(address, bytes, texture.reading);
      std::memcpy(&channels[k], &bits, sizeof channels[k]);  // little-endian, so the low bits
    }
  }
  std::memcpy(static_cast<void*>(value), channels, sizeof *value);
}

template <typename T>
inline T tex1Dfetch(cudaTextureObject_t object, int index) {
  T value;
  tex1Dfetch(&value, object, index);
  return value;
}

#define HEDDLE_NOT_SUPPORTED(name)                                      \
  template <typename T = void, typename... Arguments>                   \
  __attribute__((                                                       \
      unavailable("only tex1Dfetch over linear memory is supported on " \
                  "the CPU: use arrays and __ldg"))) T                  \
  name(Arguments&&...);
HEDDLE_NOT_SUPPORTED(tex1D)
HEDDLE_NOT_SUPPORTED(tex1DGrad)
HEDDLE_NOT_SUPPORTED(tex1DLayered)
HEDDLE_NOT_SUPPORTED(tex1DLayeredGrad)
HEDDLE_NOT_SUPPORTED(tex1DLayeredLod)
HEDDLE_NOT_SUPPORTED(tex1DLod)
HEDDLE_NOT_SUPPORTED(tex2D)
HEDDLE_NOT_SUPPORTED(tex2DGrad)
HEDDLE_NOT_SUPPORTED(tex2DLayered)
HEDDLE_NOT_SUPPORTED(tex2DLayeredGrad)
HEDDLE_NOT_SUPPORTED(tex2DLayeredLod)
HEDDLE_NOT_SUPPORTED(tex2DLod)
HEDDLE_NOT_SUPPORTED(tex2Dgather)
HEDDLE_NOT_SUPPORTED(tex3D)
HEDDLE_NOT_SUPPORTED(tex3DGrad)
HEDDLE_NOT_SUPPORTED(tex3DLod)
HEDDLE_NOT_SUPPORTED(texCubemap)
HEDDLE_NOT_SUPPORTED(texCubemapGrad)
HEDDLE_NOT_SUPPORTED(texCubemapLayered)
HEDDLE_NOT_SUPPORTED(texCubemapLayeredGrad)
HEDDLE_NOT_SUPPORTED(texCubemapLayeredLod)
HEDDLE_NOT_SUPPORTED(texCubemapLod)
#undef HEDDLE_NOT_SUPPORTED
