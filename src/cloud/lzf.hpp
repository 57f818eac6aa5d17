// Packs and unpacks LZF, the compression of PCD files: literal runs, and copies of earlier bytes.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace heddle::cloud {

// An upper bound on how many bytes one packed byte can become.
inline constexpr std::size_t most_unpacked_for_a_byte = 88;

[[nodiscard]] std::string pack_lzf(std::string_view text);

// Unpacks to exactly `size` bytes. False if the packed text ends early, copies from before its
// beginning, or yields another number of bytes.
[[nodiscard]] bool unpack_lzf(std::string_view packed, std::size_t size, std::string& text);

}  // namespace heddle::cloud
