// Fetches from texture objects: finds the texels of a point and blends them.
#include <heddle_host/texture_sampling.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <cuda_fp16.h>

#include "machine/sampled_texture.hpp"
#include "machine/texture_axis.hpp"

namespace heddle_host {
namespace {

const sampled_texture& sampled(unsigned long long handle) {
  const auto* const first = reinterpret_cast<const texture*>(static_cast<std::uintptr_t>(handle));
  return *static_cast<const sampled_texture*>(first);
}

std::uint32_t bits_of(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

float as_float(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// A point on a face of a cube, in normalised coordinates.
struct face_point {
  int face;
  float x, y;
};

face_point on_face(float x, float y, float z) {
  const float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  const auto at = [](int face, float s, float t, float m) {
    return face_point{face, (s / m + 1) / 2, (t / m + 1) / 2};
  };
  if (az >= ax && az >= ay) return z >= 0 ? at(4, x, -y, az) : at(5, -x, -y, az);
  if (ay >= ax) return y >= 0 ? at(2, x, z, ay) : at(3, x, -z, ay);
  return x >= 0 ? at(0, -z, -y, ax) : at(1, z, -y, ax);
}

// The texels of a fetch within one level, axis by axis.
struct footprint {
  axis_texels x, y, z;
};

axis_rule rule_of(const sampled_texture& from, int axis, std::size_t size) {
  return {size, from.how.addressMode[axis], from.how.normalizedCoords != 0,
          from.how.filterMode == cudaFilterModeLinear};
}

// A GPU fetches from a line as from y = 0 of a plane. With a border, half of the filter's weight is
// in the row above it.
axis_texels row_of_line(const sampled_texture& from, const texture_image& image) {
  const bool sees_border = from.how.addressMode[0] == cudaAddressModeBorder && !image.is_layered;
  if (!sees_border || from.how.filterMode != cudaFilterModeLinear) return {{0, outside}, 0};
  return {{outside, 0}, full_weight / 2};
}

footprint footprint_of(const sampled_texture& from, const texture_image& image,
                       const texture_point& at) {
  const auto rule = [&](int axis, std::size_t size) { return rule_of(from, axis, size); };
  // `number` is unsigned, so -1 is far beyond the last layer.
  const auto layer = [&](unsigned number, std::size_t faces = 1, int face = 0) {
    const std::size_t last = image.depth / faces - 1;
    return axis_texels{
        {static_cast<long>(std::min<std::size_t>(number, last) * faces) + face, outside}, 0};
  };
  switch (at.shape) {
    case texture_shape::line:
      return {texels_along(at.x, rule(0, image.width)), row_of_line(from, image), layer(at.layer)};
    case texture_shape::plane:
      return {texels_along(at.x, rule(0, image.width)), texels_along(at.y, rule(1, image.height)),
              layer(at.layer)};
    case texture_shape::volume:
      return {texels_along(at.x, rule(0, image.width)), texels_along(at.y, rule(1, image.height)),
              texels_along(at.z, rule(2, image.depth))};
    default: {
      const face_point face = on_face(at.x, at.y, at.z);
      // Does not blend with texels of neighbouring faces.
      const axis_rule on_edge{image.width, cudaAddressModeClamp, true, rule(0, 1).is_filtered};
      return {texels_along(face.x, on_edge), texels_along(face.y, on_edge),
              layer(at.layer, 6, face.face)};
    }
  }
}

void describe(texel_set& found, const sampled_texture& from) {
  found.count = 0;
  found.channels = from.channels;
  found.channel_bytes = from.channel_bytes;
  found.reading = from.reading;
}

void add_texel(texel_set& found, const sampled_texture& from, const texture_image& image, long x,
               long y, long z, int weight) {
  if (weight == 0) return;
  const unsigned number = found.count++;
  found.weight[number] = weight;
  if (x == outside || y == outside || z == outside) {
    found.address[number] = nullptr;
    std::memcpy(found.bits[number], from.how.borderColor, sizeof found.bits[number]);
    return;
  }
  found.address[number] = image.memory + static_cast<std::size_t>(z) * image.slice +
                          static_cast<std::size_t>(y) * image.pitch +
                          static_cast<std::size_t>(x) * from.channels * from.channel_bytes;
}

// `part` 256ths of a weight, rounded to the nearest 256th.
int share_of(int weight, int part) { return (weight * part + full_weight / 2) / full_weight; }

// Divides a weight among the texels of a slice as a GPU does: first along x, then each half along
// y. The weights of the texels on one diagonal are rounded, and the others get the rest.
void add_slice(texel_set& found, const sampled_texture& from, const texture_image& image,
               const footprint& around, long z, int weight) {
  const axis_texels &x = around.x, &y = around.y;
  const int right = share_of(weight, x.weight_of_second), left = weight - right;
  const int lower_right = share_of(right, y.weight_of_second);
  const int upper_left = share_of(left, full_weight - y.weight_of_second);
  add_texel(found, from, image, x.index[0], y.index[0], z, upper_left);
  add_texel(found, from, image, x.index[1], y.index[0], z, right - lower_right);
  add_texel(found, from, image, x.index[0], y.index[1], z, left - upper_left);
  add_texel(found, from, image, x.index[1], y.index[1], z, lower_right);
}

void add_level(texel_set& found, const sampled_texture& from, const texture_image& image,
               const texture_point& at, int weight) {
  const footprint around = footprint_of(from, image, at);
  const int back = share_of(weight, around.z.weight_of_second);
  add_slice(found, from, image, around, around.z.index[0], weight - back);
  add_slice(found, from, image, around, around.z.index[1], back);
}

std::uint32_t register_of(const texel_set& from, unsigned texel, unsigned channel) {
  const std::uint32_t bits = from.bits[texel][channel];
  return from.address[texel] == nullptr ? bits
                                        : converted_channel(bits, from.channel_bytes, from.reading);
}

// The nearest float; ties round away from zero.
float rounded_away(double value) {
  const int lowest_bit = std::max(std::ilogb(value) - 23, -149);
  return static_cast<float>(std::ldexp(std::round(std::ldexp(value, -lowest_bit)), lowest_bit));
}

// A GPU aligns all texels to the largest one, drops everything 27 or more bits below its leading
// bit, and rounds the sum once.
float blended(const texel_set& loaded, unsigned channel) {
  int leading_bit = std::numeric_limits<int>::min();
  double plain_sum = 0;
  for (unsigned texel = 0; texel < loaded.count; ++texel) {
    const double value = as_float(register_of(loaded, texel, channel));
    plain_sum += loaded.weight[texel] * value;
    if (value != 0) leading_bit = std::max(leading_bit, std::ilogb(value));
  }
  if (plain_sum == 0 || !std::isfinite(plain_sum)) return static_cast<float>(plain_sum);
  double sum = 0;
  for (unsigned texel = 0; texel < loaded.count; ++texel) {
    const double value = as_float(register_of(loaded, texel, channel));
    sum += loaded.weight[texel] * std::trunc(std::ldexp(value, 26 - leading_bit));
  }
  return sum == 0 ? 0.0f : rounded_away(std::ldexp(sum / full_weight, leading_bit - 26));
}

}  // namespace

std::uint32_t converted_channel(std::uint32_t bits, unsigned bytes, channel_reading reading) {
  const unsigned unused = 32 - 8 * bytes;
  const auto with_sign = static_cast<std::int32_t>(bits << unused) >> unused;
  switch (reading) {
    case channel_reading::with_sign:
      return static_cast<std::uint32_t>(with_sign);
    case channel_reading::from_half:
      return bits_of(__half2float(__ushort_as_half(static_cast<unsigned short>(bits))));
    case channel_reading::normalized:
      return bits_of(static_cast<float>(bits) / static_cast<float>(0xffffffffu >> unused));
    case channel_reading::normalized_with_sign: {
      const float value = static_cast<float>(with_sign) / static_cast<float>(0x7fffffffu >> unused);
      return bits_of(value < -1.0f ? -1.0f : value);  // two bit patterns mean -1
    }
    default:
      return bits;
  }
}

void find_texels(texel_set& found, unsigned long long handle, const texture_point& at) {
  const sampled_texture& from = sampled(handle);
  describe(found, from);
  if (from.levels.size() == 1) return add_level(found, from, from.levels[0], at, full_weight);
  const auto last = static_cast<double>(from.levels.size() - 1);
  double level =
      std::clamp<double>(double{at.level} + from.how.mipmapLevelBias, from.how.minMipmapLevelClamp,
                         std::max(from.how.minMipmapLevelClamp, from.how.maxMipmapLevelClamp));
  level = std::isnan(level) ? 0 : std::clamp(level, 0.0, last);
  if (from.how.mipmapFilterMode == cudaFilterModePoint) {
    const auto nearest = static_cast<std::size_t>(std::floor(level + 0.5));
    return add_level(found, from, from.levels[nearest], at, full_weight);
  }
  const auto steps = static_cast<std::size_t>(std::floor(level * full_weight + 0.5));
  const std::size_t finer = steps / full_weight;
  const int share = static_cast<int>(steps % full_weight);
  add_level(found, from, from.levels[finer], at, full_weight - share);
  if (share > 0) add_level(found, from, from.levels[finer + 1], at, share);
}

void find_neighbours(texel_set& found, unsigned long long handle, const texture_point& at) {
  const sampled_texture& from = sampled(handle);
  describe(found, from);
  const texture_image& image = from.levels[0];
  const axis_texels x = pair_along(at.x, rule_of(from, 0, image.width));
  const axis_texels y = pair_along(at.y, rule_of(from, 1, image.height));
  add_texel(found, from, image, x.index[0], y.index[1], 0, 1);
  add_texel(found, from, image, x.index[1], y.index[1], 0, 1);
  add_texel(found, from, image, x.index[1], y.index[0], 0, 1);
  add_texel(found, from, image, x.index[0], y.index[0], 0, 1);
}

texture_registers blend(const texel_set& loaded) {
  texture_registers result{};
  for (unsigned channel = 0; channel < loaded.channels; ++channel) {
    result.channel[channel] =
        loaded.count == 1 ? register_of(loaded, 0, channel) : bits_of(blended(loaded, channel));
  }
  return result;
}

texture_registers gather(const texel_set& loaded, unsigned channel) {
  texture_registers result{};
  if (channel >= loaded.channels) return result;
  for (unsigned texel = 0; texel < 4; ++texel) {
    result.channel[texel] = register_of(loaded, texel, channel);
  }
  return result;
}

float level_of(unsigned long long handle, texture_shape shape, const float (&dx)[3],
               const float (&dy)[3]) {
  const sampled_texture& from = sampled(handle);
  if (from.levels.size() == 1) return 0;
  const texture_image& image = from.levels[0];
  const double sizes[3] = {static_cast<double>(image.width), static_cast<double>(image.height),
                           static_cast<double>(image.depth)};
  const int axes = shape == texture_shape::line ? 1 : shape == texture_shape::plane ? 2 : 3;
  double longest = 0;
  for (const auto& difference : {dx, dy}) {
    double squares = 0;
    for (int axis = 0; axis < axes; ++axis) {
      const double texels = difference[axis] * sizes[axis];
      squares += texels * texels;
    }
    longest = std::max(longest, squares);
  }
  return longest > 0 ? static_cast<float>(std::log2(longest) / 2) : 0;
}

}  // namespace heddle_host
