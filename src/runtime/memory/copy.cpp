// Copies and fills between all kinds of memory, which share one address space.
#include "memory/copy.hpp"

#include <cstring>

#include <heddle_host/observer.hpp>

#include "memory/registry.hpp"

namespace heddle_host::memory {
namespace {

// Bytes from the first one touched to the last.
std::size_t span(std::size_t width, std::size_t height, std::size_t depth, std::size_t pitch,
                 std::size_t slice) {
  return (depth - 1) * slice + (height - 1) * pitch + width;
}

void fill_row(char* begin, const fill& what) {
  if (what.element_bytes == 1) {
    std::memset(begin, what.value, what.width);
    return;
  }
  for (std::size_t at = 0; at < what.width; at += what.element_bytes) {
    // The element is the low bytes of the value: both supported processors are little-endian.
    std::memcpy(begin + at, &what.value, what.element_bytes);
  }
}

// The host's side may be any memory; within an allocation of ours, the range must not leave it.
bool is_usable(const void* address, std::size_t bytes, bool must_be_ours) {
  return find(address) ? holds(address, bytes) : !must_be_ours;
}

}  // namespace

copy flat_copy(void* destination, const void* source, std::size_t bytes) {
  copy what;
  what.destination = destination;
  what.source = source;
  what.width = bytes;
  return what;
}

cudaError_t check(const copy& what, cudaMemcpyKind kind) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) {
    return cudaErrorInvalidMemcpyDirection;
  }
  if (what.height > 1 || what.depth > 1) {
    if (what.width > what.destination_pitch || what.width > what.source_pitch) {
      return cudaErrorInvalidPitchValue;
    }
  }
  if (what.is_empty()) return cudaSuccess;
  if (what.destination == nullptr || what.source == nullptr) return cudaErrorInvalidValue;
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  const std::size_t written =
      span(what.width, what.height, what.depth, what.destination_pitch, what.destination_slice);
  const std::size_t read =
      span(what.width, what.height, what.depth, what.source_pitch, what.source_slice);
  const bool both_usable =
      is_usable(what.destination, written, to_device) && is_usable(what.source, read, from_device);
  return both_usable ? cudaSuccess : cudaErrorInvalidValue;
}

void perform(const copy& what) {
  const copying guard;
  observer* const watching = current_observer();
  for (std::size_t slice = 0; slice < what.depth; ++slice) {
    char* to = static_cast<char*>(what.destination) + slice * what.destination_slice;
    const char* from = static_cast<const char*>(what.source) + slice * what.source_slice;
    for (std::size_t row = 0; row < what.height; ++row) {
      std::memmove(to, from, what.width);
      if (watching != nullptr) watching->bytes_arrive(to, from, what.width);
      to += what.destination_pitch;
      from += what.source_pitch;
    }
  }
}

bool reads_pageable_memory(const copy& what) { return !find(what.source); }

bool writes_pageable_memory(const copy& what) { return !find(what.destination); }

cudaError_t check(const fill& what) {
  if ((what.height > 1 || what.depth > 1) && what.width > what.pitch) {
    return cudaErrorInvalidPitchValue;
  }
  if (what.is_empty()) return cudaSuccess;
  const std::size_t written = span(what.width, what.height, what.depth, what.pitch, what.slice);
  return holds(what.destination, written) ? cudaSuccess : cudaErrorInvalidValue;
}

void perform(const fill& what) {
  const copying guard;
  observer* const watching = current_observer();
  for (std::size_t slice = 0; slice < what.depth; ++slice) {
    char* row_begin = static_cast<char*>(what.destination) + slice * what.slice;
    for (std::size_t row = 0; row < what.height; ++row) {
      fill_row(row_begin, what);
      if (watching != nullptr) watching->bytes_arrive(row_begin, nullptr, what.width);
      row_begin += what.pitch;
    }
  }
}

}  // namespace heddle_host::memory
