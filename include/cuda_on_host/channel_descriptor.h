// Describes the channels of a texture's elements, explicitly or from a type.
#pragma once
#define __CHANNEL_DESCRIPTOR_H__  // programs test for it
#include <driver_types.h>

#include "detail/texel.h"

inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   cudaChannelFormatKind kind) {
  cudaChannelFormatDesc made;
  made.x = x;
  made.y = y;
  made.z = z;
  made.w = w;
  made.f = kind;
  return made;
}

// A type that no texture can have has no channels.
template <typename T>
inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  using shape = ::cuda_on_host::texel<T>;
  using channel = typename shape::channel;
  if constexpr (shape::count == 0) {
    return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
  } else {
    constexpr int bits = 8 * sizeof(channel);
    constexpr int after_first = shape::count > 1 ? bits : 0;
    constexpr int after_second = shape::count > 2 ? bits : 0;
    return cudaCreateChannelDesc(bits, after_first, after_second, after_second,
                                 std::is_floating_point_v<channel> ? cudaChannelFormatKindFloat
                                 : std::is_signed_v<channel>       ? cudaChannelFormatKindSigned
                                                                   : cudaChannelFormatKindUnsigned);
  }
}

inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf1() { return cudaCreateChannelDescHalf(); }
inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
  return cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat);
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
  return cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat);
}
