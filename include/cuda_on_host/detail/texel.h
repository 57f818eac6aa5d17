// The structure of a texture's element: the type and number of its channels.
#pragma once
#include <type_traits>

#include <vector_types.h>

namespace cuda_on_host {

// `count` is 0 for types that a texture cannot have.
template <typename Channel, int channels>
struct texel_shape {
  using channel = Channel;
  static constexpr int count = channels;
};

template <typename T>
struct texel : texel_shape<T, 0> {};

#define HEDDLE_TEXELS(type, vector)                  \
  template <>                                        \
  struct texel<type> : texel_shape<type, 1> {};      \
  template <>                                        \
  struct texel<vector##1> : texel_shape<type, 1> {}; \
  template <>                                        \
  struct texel<vector##2> : texel_shape<type, 2> {}; \
  template <>                                        \
  struct texel<vector##4> : texel_shape<type, 4> {};
HEDDLE_TEXELS(signed char, char)
HEDDLE_TEXELS(unsigned char, uchar)
HEDDLE_TEXELS(short, short)
HEDDLE_TEXELS(unsigned short, ushort)
HEDDLE_TEXELS(int, int)
HEDDLE_TEXELS(unsigned int, uint)
HEDDLE_TEXELS(float, float)
#undef HEDDLE_TEXELS
template <>
struct texel<char> : texel_shape<char, 1> {};

}  // namespace cuda_on_host
