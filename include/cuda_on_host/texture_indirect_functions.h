// Fetches from texture objects.
#pragma once
#define __TEXTURE_INDIRECT_FUNCTIONS_H__  // programs test for it
#include <cstdint>
#include <cstring>

#include <texture_types.h>
#include <vector_types.h>
#include <heddle_host/texture.hpp>
#include <heddle_host/texture_sampling.hpp>

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

// As on a GPU, the texture's format decides what is loaded into the registers; the requested type
// only decides how they are interpreted. It should match the format, or be float for normalized and
// filtered reads. Channels that the texture does not have are zero.
template <typename T>
inline T value_of(const ::heddle_host::texture_registers& from) {
  using shape = texel<T>;
  static_assert(shape::count != 0,
                "a texture element must be one, two or four floats or 8-, 16- or 32-bit integers");
  T value;
  for (unsigned k = 0; k < shape::count; ++k) {  // little-endian, so the low bits
    constexpr std::size_t bytes = sizeof(typename shape::channel);
    std::memcpy(reinterpret_cast<char*>(&value) + k * bytes, &from.channel[k], bytes);
  }
  return value;
}

inline void load_texels(::heddle_host::texel_set& of) {
  for (unsigned k = 0; k < of.count; ++k) {
    const unsigned char* address = of.address[k];
    if (address == nullptr) continue;
    for (unsigned c = 0; c < of.channels; ++c, address += of.channel_bytes) {
      of.bits[k][c] = load_channel(address, of.channel_bytes);
    }
  }
}

inline ::heddle_host::texture_registers sample(cudaTextureObject_t object,
                                               const ::heddle_host::texture_point& at) {
  ::heddle_host::texel_set texels;
  ::heddle_host::find_texels(texels, object, at);
  load_texels(texels);
  return ::heddle_host::blend(texels);
}

inline ::heddle_host::texture_registers gather(cudaTextureObject_t object, float x, float y,
                                               int channel) {
  ::heddle_host::texel_set texels;
  ::heddle_host::find_neighbours(texels, object, {::heddle_host::texture_shape::plane, x, y});
  load_texels(texels);
  return ::heddle_host::gather(texels, static_cast<unsigned>(channel));
}

// Returns zero out of range.
inline ::heddle_host::texture_registers fetch(cudaTextureObject_t object, int index) {
  const ::heddle_host::texture from = ::heddle_host::texture_of(object);
  ::heddle_host::texture_registers result = {};
  if (index < 0 || static_cast<std::size_t>(index) >= from.elements) return result;
  const unsigned bytes = from.channel_bytes;
  const unsigned char* address =
      from.memory + static_cast<std::size_t>(index) * from.channels * bytes;
  for (unsigned k = 0; k < from.channels; ++k, address += bytes) {
    const std::uint32_t bits = load_channel(address, bytes);
    result.channel[k] = from.reading == ::heddle_host::channel_reading::as_they_are
                            ? bits
                            : ::heddle_host::converted_channel(bits, bytes, from.reading);
  }
  return result;
}

// The points of each shape.
inline ::heddle_host::texture_point on_line(float x, int layer = 0, float level = 0) {
  return {::heddle_host::texture_shape::line, x, 0, 0, layer, level};
}
inline ::heddle_host::texture_point on_plane(float x, float y, int layer = 0, float level = 0) {
  return {::heddle_host::texture_shape::plane, x, y, 0, layer, level};
}
inline ::heddle_host::texture_point in_volume(float x, float y, float z, float level = 0) {
  return {::heddle_host::texture_shape::volume, x, y, z, 0, level};
}
inline ::heddle_host::texture_point on_cube(float x, float y, float z, int layer = 0,
                                            float level = 0) {
  return {::heddle_host::texture_shape::cube, x, y, z, layer, level};
}

// The mipmap level for these gradients: the differences to the next thread in each direction.
inline float level_of(cudaTextureObject_t object, float dx, float dy) {
  return ::heddle_host::level_of(object, ::heddle_host::texture_shape::line, {dx, 0, 0},
                                 {dy, 0, 0});
}
inline float level_of(cudaTextureObject_t object, float2 dx, float2 dy) {
  return ::heddle_host::level_of(object, ::heddle_host::texture_shape::plane, {dx.x, dx.y, 0},
                                 {dy.x, dy.y, 0});
}
inline float level_of(cudaTextureObject_t object, float4 dx, float4 dy) {
  return ::heddle_host::level_of(object, ::heddle_host::texture_shape::volume, {dx.x, dx.y, dx.z},
                                 {dy.x, dy.y, dy.z});
}

}  // namespace cuda_on_host

// Both forms of a function: `name<T>(object, …)` and `name(&value, object, …)`.
#define HEDDLE_FETCH(name, registers, ...)                              \
  template <typename T>                                                 \
  inline T name(cudaTextureObject_t object, __VA_ARGS__) {              \
    return ::cuda_on_host::value_of<T>(::cuda_on_host::registers);      \
  }                                                                     \
  template <typename T>                                                 \
  inline void name(T* value, cudaTextureObject_t object, __VA_ARGS__) { \
    *value = ::cuda_on_host::value_of<T>(::cuda_on_host::registers);    \
  }
#define HEDDLE_SAMPLE(name, point, ...) \
  HEDDLE_FETCH(name, sample(object, ::cuda_on_host::point), __VA_ARGS__)
#define HEDDLE_LEVEL ::cuda_on_host::level_of(object, dx, dy)

HEDDLE_FETCH(tex1Dfetch, fetch(object, x), int x)
HEDDLE_FETCH(tex2Dgather, gather(object, x, y, component), float x, float y, int component = 0)
HEDDLE_SAMPLE(tex1D, on_line(x), float x)
HEDDLE_SAMPLE(tex2D, on_plane(x, y), float x, float y)
HEDDLE_SAMPLE(tex3D, in_volume(x, y, z), float x, float y, float z)
HEDDLE_SAMPLE(texCubemap, on_cube(x, y, z), float x, float y, float z)
HEDDLE_SAMPLE(tex1DLayered, on_line(x, layer), float x, int layer)
HEDDLE_SAMPLE(tex2DLayered, on_plane(x, y, layer), float x, float y, int layer)
HEDDLE_SAMPLE(texCubemapLayered, on_cube(x, y, z, layer), float x, float y, float z, int layer)

HEDDLE_SAMPLE(tex1DLod, on_line(x, 0, level), float x, float level)
HEDDLE_SAMPLE(tex2DLod, on_plane(x, y, 0, level), float x, float y, float level)
HEDDLE_SAMPLE(tex3DLod, in_volume(x, y, z, level), float x, float y, float z, float level)
HEDDLE_SAMPLE(texCubemapLod, on_cube(x, y, z, 0, level), float x, float y, float z, float level)
HEDDLE_SAMPLE(tex1DLayeredLod, on_line(x, layer, level), float x, int layer, float level)
HEDDLE_SAMPLE(tex2DLayeredLod, on_plane(x, y, layer, level), float x, float y, int layer,
              float level)
HEDDLE_SAMPLE(texCubemapLayeredLod, on_cube(x, y, z, layer, level), float x, float y, float z,
              int layer, float level)

HEDDLE_SAMPLE(tex1DGrad, on_line(x, 0, HEDDLE_LEVEL), float x, float dx, float dy)
HEDDLE_SAMPLE(tex2DGrad, on_plane(x, y, 0, HEDDLE_LEVEL), float x, float y, float2 dx, float2 dy)
HEDDLE_SAMPLE(tex3DGrad, in_volume(x, y, z, HEDDLE_LEVEL), float x, float y, float z, float4 dx,
              float4 dy)
HEDDLE_SAMPLE(tex1DLayeredGrad, on_line(x, layer, HEDDLE_LEVEL), float x, int layer, float dx,
              float dy)
HEDDLE_SAMPLE(tex2DLayeredGrad, on_plane(x, y, layer, HEDDLE_LEVEL), float x, float y, int layer,
              float2 dx, float2 dy)
#undef HEDDLE_LEVEL
#undef HEDDLE_SAMPLE
#undef HEDDLE_FETCH

#define HEDDLE_NOT_SUPPORTED(name)                                                          \
  template <typename T = void, typename... Arguments>                                       \
  __attribute__((                                                                           \
      unavailable("gradients on cubes are not supported on the CPU: compute the level and " \
                  "use texCubemapLod"))) T                                                  \
  name(Arguments&&...);
HEDDLE_NOT_SUPPORTED(texCubemapGrad)
HEDDLE_NOT_SUPPORTED(texCubemapLayeredGrad)
#undef HEDDLE_NOT_SUPPORTED
