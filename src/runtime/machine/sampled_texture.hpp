// A complete texture object: the images that it reads, and how it filters them.
#pragma once
#include <cstddef>
#include <vector>

#include <texture_types.h>
#include <heddle_host/texture.hpp>

namespace heddle_host {

struct texture_image {
  const unsigned char* memory;
  std::size_t width, height, depth;  // at least 1; depth also counts layers and faces
  std::size_t pitch;                 // bytes between rows
  std::size_t slice;                 // bytes between slices
  bool is_layered = false;
};

// The handle is the address of its base, which is all that tex1Dfetch needs.
struct sampled_texture : texture {
  std::vector<texture_image> levels;  // the most detailed first
  cudaTextureDesc how;
};

}  // namespace heddle_host
