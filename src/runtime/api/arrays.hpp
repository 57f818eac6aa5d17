// CUDA arrays: memory with a shape and a format, which a program refers to by a handle.
#pragma once
#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include <driver_types.h>

namespace heddle_host::api {

// Rows follow each other without padding, and so do the slices or layers.
struct array {
  cudaChannelFormatDesc format;
  cudaExtent extent;  // as the program gave it: 0 for a dimension that the array does not have
  unsigned flags;
  char* memory;
  std::size_t element_bytes;
  int device;

  std::size_t row_bytes() const { return extent.width * element_bytes; }
  std::size_t rows() const { return std::max<std::size_t>(extent.height, 1); }
  std::size_t slice_bytes() const { return row_bytes() * rows(); }
  std::size_t slices() const { return std::max<std::size_t>(extent.depth, 1); }
  bool is_layered() const { return (flags & cudaArrayLayered) != 0; }
  bool is_cube() const { return (flags & cudaArrayCubemap) != 0; }
};

using array_pointer = std::shared_ptr<const array>;
using array_levels = std::vector<array_pointer>;

// Null if the handle is unknown or stale.
array_pointer find_array(cudaArray_const_t handle);
// The levels of a mipmapped array, the most detailed first; empty if the handle is unknown.
array_levels find_levels(cudaMipmappedArray_const_t handle);

// Invalidates all handles of the device's arrays. Does not free their memory.
void forget_arrays(int device);

}  // namespace heddle_host::api
