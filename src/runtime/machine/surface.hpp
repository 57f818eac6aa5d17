// A surface object: the memory of an array that kernels read and write by coordinates.
#pragma once
#include <cstddef>

namespace heddle_host {

struct surface {
  char* memory;
  std::size_t row_bytes, rows, slices;
};

}  // namespace heddle_host
