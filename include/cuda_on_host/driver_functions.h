// Creates CUDA's plain structures for extents and positions.
#pragma once
#define __DRIVER_FUNCTIONS_H__  // programs test for it
#include <driver_types.h>

inline cudaPitchedPtr make_cudaPitchedPtr(void* pointer, size_t pitch, size_t width,
                                          size_t height) {
  cudaPitchedPtr made;
  made.ptr = pointer;
  made.pitch = pitch;
  made.xsize = width;
  made.ysize = height;
  return made;
}

inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
  cudaPos made;
  made.x = x;
  made.y = y;
  made.z = z;
  return made;
}

inline cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
  cudaExtent made;
  made.width = width;
  made.height = height;
  made.depth = depth;
  return made;
}
