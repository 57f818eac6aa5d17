// Selects the texels along one axis for a coordinate, by the formulas of the CUDA Programming
// Guide. Weights are in 256ths, as on a GPU.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>

#include <texture_types.h>

namespace heddle_host {

inline constexpr int full_weight = 256;

inline constexpr long outside = -1;  // the index of a texel in the border

// The two texels around a coordinate. If the second one has no weight, it need not exist.
struct axis_texels {
  long index[2];
  int weight_of_second;
};

// The texel that is read instead of one that may be outside the image.
inline long wrapped(double index, std::size_t size, cudaTextureAddressMode mode) {
  const auto count = static_cast<double>(size);
  if (index >= 0 && index < count) return static_cast<long>(index);
  if (mode == cudaAddressModeBorder) return outside;
  if (mode == cudaAddressModeClamp || std::isinf(index))
    return index < 0 ? 0 : static_cast<long>(count - 1);
  const double period = mode == cudaAddressModeMirror ? 2 * count : count;
  const double folded = index - period * std::floor(index / period);
  return static_cast<long>(folded < count ? folded : period - 1 - folded);
}

// How one axis is addressed.
struct axis_rule {
  std::size_t size;
  cudaTextureAddressMode mode;
  bool is_normalized;
  bool is_filtered;
};

// Converts a coordinate to texels, and sets the address mode that applies to it.
inline double in_texels(float coordinate, axis_rule& rule) {
  double x = coordinate;
  if (rule.is_normalized) {
    x *= static_cast<double>(rule.size);
  } else if (rule.mode != cudaAddressModeBorder) {
    rule.mode = cudaAddressModeClamp;  // an image repeats only in normalised coordinates
  }
  return std::isnan(x) ? 0 : x;
}

// The two texels that a linear filter blends. A coordinate beyond the middle of the outermost texel
// is clamped to that texel, which then has the full weight.
inline axis_texels pair_along(float coordinate, axis_rule rule) {
  const double x = in_texels(coordinate, rule);
  const double steps = std::floor((x - 0.5) * full_weight + 0.5);
  const double first = std::floor(steps / full_weight);
  const axis_texels both{
      {wrapped(first, rule.size, rule.mode), wrapped(first + 1, rule.size, rule.mode)},
      std::isinf(steps) ? 0 : static_cast<int>(steps - first * full_weight)};
  const bool is_clamped = both.index[0] == both.index[1] && rule.mode == cudaAddressModeClamp;
  return is_clamped ? axis_texels{{both.index[0], both.index[0]}, 0} : both;
}

inline axis_texels texels_along(float coordinate, axis_rule rule) {
  if (rule.is_filtered) return pair_along(coordinate, rule);
  const double x = in_texels(coordinate, rule);
  return {{wrapped(std::floor(x), rule.size, rule.mode), outside}, 0};
}

}  // namespace heddle_host
