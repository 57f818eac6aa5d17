// Reads from and writes to surface objects. The x coordinate is in bytes.
#pragma once
#define __SURFACE_INDIRECT_FUNCTIONS_H__  // programs test for it
#include <surface_types.h>
#include <heddle_host/surface.hpp>

#include "detail/texel.h"

namespace cuda_on_host {

template <typename T>
inline constexpr bool is_surface_element = texel<T>::count != 0;
template <>
inline constexpr bool is_surface_element<long long> = true;
template <>
inline constexpr bool is_surface_element<longlong1> = true;
template <>
inline constexpr bool is_surface_element<longlong2> = true;
template <>
inline constexpr bool is_surface_element<unsigned long long> = true;
template <>
inline constexpr bool is_surface_element<ulonglong1> = true;
template <>
inline constexpr bool is_surface_element<ulonglong2> = true;

template <typename T>
inline T* surface_element(cudaSurfaceObject_t object, const ::heddle_host::surface_point& at,
                          cudaSurfaceBoundaryMode mode) {
  static_assert(is_surface_element<T>,
                "a surface element must be one, two or four integers or floats, at most 16 bytes");
  return static_cast<T*>(::heddle_host::find_surface_element(
      object, at, sizeof(T), static_cast<::heddle_host::surface_boundary>(mode)));
}

template <typename T>
inline T read_surface(cudaSurfaceObject_t object, const ::heddle_host::surface_point& at,
                      cudaSurfaceBoundaryMode mode) {
  const T* const from = surface_element<T>(object, at, mode);
  return from == nullptr ? T{} : *from;
}

template <typename T>
inline void write_surface(const T& value, cudaSurfaceObject_t object,
                          const ::heddle_host::surface_point& at, cudaSurfaceBoundaryMode mode) {
  if (T* const to = surface_element<T>(object, at, mode)) *to = value;
}

}  // namespace cuda_on_host

// The three forms of an access: `read<T>(object, …)`, `read(&value, object, …)` and
// `write(value, object, …)`.
#define HEDDLE_POINT(...) \
  ::heddle_host::surface_point { __VA_ARGS__ }
#define HEDDLE_SURFACE(name, point, ...)                                         \
  template <typename T>                                                          \
  inline T name##read(cudaSurfaceObject_t object, __VA_ARGS__,                   \
                      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {     \
    return ::cuda_on_host::read_surface<T>(object, point, mode);                 \
  }                                                                              \
  template <typename T>                                                          \
  inline void name##read(T* value, cudaSurfaceObject_t object, __VA_ARGS__,      \
                         cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {  \
    *value = ::cuda_on_host::read_surface<T>(object, point, mode);               \
  }                                                                              \
  template <typename T>                                                          \
  inline void name##write(T value, cudaSurfaceObject_t object, __VA_ARGS__,      \
                          cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
    ::cuda_on_host::write_surface(value, object, point, mode);                   \
  }

HEDDLE_SURFACE(surf1D, HEDDLE_POINT(x), int x)
HEDDLE_SURFACE(surf2D, HEDDLE_POINT(x, y), int x, int y)
HEDDLE_SURFACE(surf3D, HEDDLE_POINT(x, y, z), int x, int y, int z)
HEDDLE_SURFACE(surf1DLayered, HEDDLE_POINT(x, 0, layer), int x, int layer)
HEDDLE_SURFACE(surf2DLayered, HEDDLE_POINT(x, y, layer), int x, int y, int layer)
HEDDLE_SURFACE(surfCubemap, HEDDLE_POINT(x, y, face), int x, int y, int face)
HEDDLE_SURFACE(surfCubemapLayered, HEDDLE_POINT(x, y, layer_and_face), int x, int y,
               int layer_and_face)
#undef HEDDLE_SURFACE
#undef HEDDLE_POINT
