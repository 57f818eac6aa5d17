// Texture fetching as the CUDA Programming Guide describes it, slowly and in double precision.
#pragma once
#include <cmath>
#include <vector>

#include <texture_types.h>

namespace texture_reference {

// A box of texels with one channel; its layers are not blended with each other.
struct image {
  int width, height, depth;
  std::vector<double> texels;
};

struct settings {
  cudaTextureAddressMode mode;
  bool is_normalized;
  bool is_filtered;
  double border;
};

// A texel, with any index: the address mode says what lies outside of the image.
inline int inside(int index, int size, const settings& how) {
  const auto mode =
      how.is_normalized || how.mode == cudaAddressModeBorder ? how.mode : cudaAddressModeClamp;
  if (mode == cudaAddressModeBorder) return index < 0 || index >= size ? -1 : index;
  if (mode == cudaAddressModeClamp) return index < 0 ? 0 : index >= size ? size - 1 : index;
  // Walks back by whole images, and mirrors every second one.
  bool is_mirrored = false;
  for (; index < 0; index += size) is_mirrored = !is_mirrored;
  for (; index >= size; index -= size) is_mirrored = !is_mirrored;
  return mode == cudaAddressModeMirror && is_mirrored ? size - 1 - index : index;
}

inline double texel(const image& from, int i, int j, int k, const settings& how) {
  i = inside(i, from.width, how);
  j = inside(j, from.height, how);
  k = inside(k, from.depth, how);
  if (i < 0 || j < 0 || k < 0) return how.border;
  return from.texels[static_cast<std::size_t>((k * from.height + j) * from.width + i)];
}

// The guide's alpha, beta or gamma: eight fractional bits, of which 1.0 is one value.
inline double weight(double position) {
  return std::floor((position - std::floor(position)) * 256 + 0.5) / 256;
}

// `dimensions` is 1, 2 or 3; an image with fewer is read at index 0 or `layer` of the rest.
inline double fetch(const image& from, int dimensions, const double (&point)[3], int layer,
                    const settings& how) {
  const int sizes[3] = {from.width, from.height, from.depth};
  int low[3] = {0, 0, layer};
  double upper_weight[3] = {0, 0, 0};
  for (int axis = 0; axis < dimensions; ++axis) {
    const double position = how.is_normalized ? point[axis] * sizes[axis] : point[axis];
    const double from_centre = how.is_filtered ? position - 0.5 : position;
    low[axis] = static_cast<int>(std::floor(from_centre));
    upper_weight[axis] = how.is_filtered ? weight(from_centre) : 0;
  }
  double sum = 0;
  for (int corner = 0; corner < 8; ++corner) {
    double share = 1;
    int at[3];
    for (int axis = 0; axis < 3; ++axis) {
      const int is_upper = corner >> axis & 1;
      at[axis] = low[axis] + is_upper;
      share *= is_upper != 0 ? upper_weight[axis] : 1 - upper_weight[axis];
    }
    if (share != 0) sum += share * texel(from, at[0], at[1], at[2], how);
  }
  return sum;
}

}  // namespace texture_reference
