// Finds the elements of surface objects.
#pragma once
#include <cstddef>

namespace heddle_host {

enum class surface_boundary : unsigned char { zero, clamp, trap };

// `z` is also the number of a layer or face.
struct surface_point {
  int x_bytes;
  int y = 0;
  int z = 0;
};

// The address of an element of `bytes` bytes. For a point outside the surface it is null if the
// boundary is `zero`, and the kernel ends if the boundary is `trap`.
void* find_surface_element(unsigned long long handle, const surface_point& at, std::size_t bytes,
                           surface_boundary boundary);

}  // namespace heddle_host
