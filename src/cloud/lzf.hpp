// LZF, in which PCD files are packed: runs of bytes, and copies of what came before.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace heddle::cloud {

// No byte of packed text becomes more than so many.
inline constexpr std::size_t most_unpacked_for_a_byte = 88;

[[nodiscard]] std::string pack_lzf(std::string_view text);

// Unpacks to exactly `size` bytes. False if the packed text ends early, copies from before its
// begin, or gives another number of bytes.
[[nodiscard]] bool unpack_lzf(std::string_view packed, std::size_t size, std::string& text);

}  // namespace heddle::cloud
