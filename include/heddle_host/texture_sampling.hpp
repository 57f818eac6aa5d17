// Fetches from texture objects by coordinates: which texels a fetch needs, and how to blend them.
#pragma once
#include <cstdint>

#include <heddle_host/texture.hpp>

namespace heddle_host {

enum class texture_shape : unsigned char { line, plane, volume, cube };

// The coordinates of a fetch.
struct texture_point {
  texture_shape shape;
  float x, y = 0, z = 0;  // of a cube: a direction
  int layer = 0;
  float level = 0;  // of a mipmapped texture
};

// The texels of a fetch. The lane itself loads their bits, so that the checker sees the accesses;
// the runtime does the rest.
struct texel_set {
  static constexpr unsigned most = 16;  // two levels of 2 x 2 x 2 texels

  unsigned count;
  unsigned channels;
  unsigned channel_bytes;
  channel_reading reading;
  const unsigned char* address[most];  // null: the border
  int weight[most];                    // in 256ths; their sum is 256
  std::uint32_t bits[most][4];         // for the border, already converted
};

struct texture_registers {
  std::uint32_t channel[4];
};

// Finds the texels for a filtered or an unfiltered fetch.
void find_texels(texel_set& found, unsigned long long handle, const texture_point& at);
// Finds the 2 x 2 texels around a point, in the order of tex2Dgather's result.
void find_neighbours(texel_set& found, unsigned long long handle, const texture_point& at);

// Computes the result of a fetch from texels whose bits have been loaded.
texture_registers blend(const texel_set& loaded);
// Returns one channel of each of the four texels.
texture_registers gather(const texel_set& loaded, unsigned channel);

// The mipmap level at which neighbouring threads, whose coordinates differ by `dx` and `dy`, would
// be about one texel apart; 0 without mipmaps.
float level_of(unsigned long long handle, texture_shape shape, const float (&dx)[3],
               const float (&dy)[3]);

}  // namespace heddle_host
