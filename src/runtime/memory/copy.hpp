// Copies and fills of up to three dimensions as values, and the checks of their pointers.
#pragma once
#include <cstddef>

#include <driver_types.h>

#include <heddle_host/arena.hpp>

namespace heddle_host::memory {

// Marks copies that the runtime makes, not the program.
class copying {
 public:
  copying() { machine_copies = true; }
  ~copying() { machine_copies = false; }
  copying(const copying&) = delete;
  copying& operator=(const copying&) = delete;
};

// `depth` slices of `height` rows of `width` bytes; a pitch is the distance between rows.
struct copy {
  void* destination = nullptr;
  const void* source = nullptr;
  std::size_t width = 0;
  std::size_t height = 1;
  std::size_t depth = 1;
  std::size_t destination_pitch = 0;
  std::size_t source_pitch = 0;
  std::size_t destination_slice = 0;  // bytes between slices
  std::size_t source_slice = 0;

  bool is_empty() const { return width == 0 || height == 0 || depth == 0; }
  std::size_t bytes() const { return width * height * depth; }
};

copy flat_copy(void* destination, const void* source, std::size_t bytes);

// CUDA's result for a copy with these pointers in this direction.
cudaError_t check(const copy& what, cudaMemcpyKind kind);
void perform(const copy& what);

// About the host's side of a copy that `check` has accepted.
bool reads_pageable_memory(const copy& what);
bool writes_pageable_memory(const copy& what);

struct fill {
  void* destination = nullptr;
  int value = 0;
  std::size_t width = 0;  // of a row, in bytes
  std::size_t height = 1;
  std::size_t depth = 1;
  std::size_t pitch = 0;
  std::size_t slice = 0;
  std::size_t element_bytes = 1;  // 1, 2 or 4; the width is a multiple of it

  bool is_empty() const { return width == 0 || height == 0 || depth == 0; }
  std::size_t bytes() const { return width * height * depth; }
};

cudaError_t check(const fill& what);
void perform(const fill& what);

}  // namespace heddle_host::memory
