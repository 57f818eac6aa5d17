// Which lane of a warp has read which byte of a word.
#pragma once
#include <cstddef>
#include <cstdint>

namespace heddle_checker {

// For each byte of the word, the first one lowest: the lane's number plus one, or 0 for none.
using byte_readers = std::uint32_t;

// The mask of one or two aligned bytes.
constexpr byte_readers mask_of_bytes(std::uintptr_t address, std::size_t bytes) {
  return (bytes == 1 ? 0xffu : 0xffffu) << 8 * (address % 4);
}
constexpr byte_readers reads_bytes(unsigned lane, byte_readers mask) {
  return (lane + 1) * 0x01010101u & mask;
}
constexpr unsigned reader_of_byte(byte_readers all, std::size_t byte) {
  return all >> 8 * byte & 0xff;
}
// Whether the first two bytes have the same reader, and so do the last two.
constexpr bool are_readers_of_pairs(byte_readers all) {
  return ((all ^ all >> 8) & 0x00ff00ffu) == 0;
}

}  // namespace heddle_checker
