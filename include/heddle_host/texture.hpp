// What the handle of a texture object refers to: memory, and how to read its elements.
#pragma once
#include <cstddef>
#include <cstdint>

namespace heddle_host {

// How a channel's bits are converted when they are loaded into a register.
enum class channel_reading : unsigned char {
  as_they_are,  // zero-extended
  with_sign,
  from_half,  // converted to float
  normalized,
  normalized_with_sign,
};

struct texture {
  const unsigned char* memory;
  std::size_t elements;    // of linear memory, or of the first row of an array
  unsigned channels;       // per element: 1, 2 or 4
  unsigned channel_bytes;  // 1, 2 or 4
  channel_reading reading;
};

// The handle is the address, so a lane finds the texture without a lookup. In a checked program the
// lane must not read it: it is host memory.
#ifdef HEDDLE_CHECKED
texture texture_of(unsigned long long handle);
#else
inline texture texture_of(unsigned long long handle) {
  return *reinterpret_cast<const texture*>(static_cast<std::uintptr_t>(handle));
}
#endif

// Converts the bits of a channel of `bytes` bytes to what a register holds.
std::uint32_t converted_channel(std::uint32_t bits, unsigned bytes, channel_reading reading);

}  // namespace heddle_host
