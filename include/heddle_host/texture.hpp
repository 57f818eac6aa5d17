// What lies behind the handle of a texture object: memory, and how its elements are read.
#pragma once
#include <cstddef>
#include <cstdint>

namespace heddle_host {

// What becomes of a channel's bits on their way into a register.
enum class channel_reading : unsigned char {
  as_they_are,  // zeros on top
  with_sign,
  from_half,  // a 16-bit float becomes a float
  normalized,
  normalized_with_sign,
};

struct texture {
  const unsigned char* memory;
  std::size_t elements;
  unsigned channels;       // of one element: 1, 2 or 4
  unsigned channel_bytes;  // 1, 2 or 4
  channel_reading reading;
};

// The handle is the address, so that a lane finds the texture without asking anybody. In a checked
// program it must not look itself, at memory of the host's.
#ifdef HEDDLE_CHECKED
texture texture_of(unsigned long long handle);
#else
inline texture texture_of(unsigned long long handle) {
  return *reinterpret_cast<const texture*>(static_cast<std::uintptr_t>(handle));
}
#endif

}  // namespace heddle_host
