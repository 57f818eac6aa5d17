// Packs and unpacks LZF, the compression of PCD files: literal runs, and copies of earlier bytes.
//
// A first byte below 32 begins a literal run of that many bytes plus one. Otherwise its upper three
// bits are the length of a copy minus 2; if they are 7, the next byte is added to the length. The
// lower five bits and the next byte are the distance of the copy minus 1.
#include "cloud/lzf.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace heddle::cloud {
namespace {

constexpr std::size_t longest_run = 32;
constexpr std::size_t shortest_copy = 3;
constexpr std::size_t longest_copy = 2 + 7 + 255;
constexpr std::size_t farthest = 1 << 13;
constexpr unsigned table_bits = 14;

std::uint32_t place_in_table(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[at + i]));
  };
  return ((byte(0) | byte(1) << 8 | byte(2) << 16) * 2654435761u) >> (32 - table_bits);
}

void append_run(std::string& packed, std::string_view run) {
  while (!run.empty()) {
    const std::size_t length = std::min(run.size(), longest_run);
    packed += static_cast<char>(length - 1);
    packed += run.substr(0, length);
    run.remove_prefix(length);
  }
}

void append_copy(std::string& packed, std::size_t distance, std::size_t length) {
  const std::size_t back = distance - 1, extra = length - 2;
  packed += static_cast<char>(std::min<std::size_t>(extra, 7) << 5 | back >> 8);
  if (extra >= 7) packed += static_cast<char>(extra - 7);
  packed += static_cast<char>(back & 255);
}

}  // namespace

std::string pack_lzf(std::string_view text) {
  std::string packed;
  std::vector<std::size_t> last_seen(std::size_t{1} << table_bits, text.npos);
  std::size_t run = 0, at = 0;
  while (at + shortest_copy <= text.size()) {
    std::size_t& seen = last_seen[place_in_table(text, at)];
    const std::size_t candidate = seen;
    seen = at;
    std::size_t length = 0;
    if (candidate != text.npos && at - candidate <= farthest) {
      const std::size_t most = std::min(longest_copy, text.size() - at);
      while (length < most && text[candidate + length] == text[at + length]) ++length;
    }
    if (length < shortest_copy) {
      ++at;
      continue;
    }
    append_run(packed, text.substr(run, at - run));
    append_copy(packed, at - candidate, length);
    at += length;
    run = at;
  }
  append_run(packed, text.substr(run));
  return packed;
}

bool unpack_lzf(std::string_view packed, std::size_t size, std::string& text) {
  text.clear();
  if (size / most_unpacked_for_a_byte > packed.size()) return false;
  text.reserve(size);
  std::size_t at = 0;
  const auto take = [&] {
    return static_cast<std::size_t>(static_cast<unsigned char>(packed[at++]));
  };
  while (at < packed.size()) {
    const std::size_t control = take();
    if (control < longest_run) {
      const std::size_t length = control + 1;
      if (length > packed.size() - at || length > size - text.size()) return false;
      text += packed.substr(at, length);
      at += length;
      continue;
    }
    std::size_t length = (control >> 5) + 2;
    const bool is_long = length == 7 + 2;
    if (packed.size() - at < (is_long ? 2u : 1u)) return false;
    if (is_long) length += take();
    const std::size_t distance = ((control & 31) << 8) + take() + 1;
    if (distance > text.size() || length > size - text.size()) return false;
    // Byte by byte, since a copy may overlap itself.
    for (std::size_t from = text.size() - distance; length > 0; --length) text += text[from++];
  }
  return text.size() == size;
}

}  // namespace heddle::cloud
