// A 128-bit digest: two multiply-and-rotate chains over 8-byte words, crossed at every step.
#include "frontend/driver/digest.hpp"

#include <bit>
#include <cstring>

namespace heddle::frontend {
namespace {

std::uint64_t scramble(std::uint64_t word) {
  word ^= word >> 32;
  word *= 0xd6e8feb86659fd93;
  word ^= word >> 29;
  word *= 0x9fb21c651e98df25;
  return word ^ (word >> 32);
}

}  // namespace

void digest::mix(std::uint64_t word) {
  first_ = std::rotl((first_ ^ word) * 0x9e3779b97f4a7c15, 31) + second_;
  second_ = std::rotl((second_ + word) * 0xc2b2ae3d27d4eb4f, 27) ^ first_;
}

digest& digest::add(std::string_view text) {
  mix(text.size());
  std::size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    std::uint64_t word;
    std::memcpy(&word, text.data() + at, 8);
    mix(word);
  }
  std::uint64_t rest = 0;
  if (at < text.size()) std::memcpy(&rest, text.data() + at, text.size() - at);
  mix(rest);
  return *this;
}

std::string digest::hexadecimal() const {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const std::uint64_t word : {scramble(first_ ^ scramble(second_)), scramble(second_)})
    for (int shift = 60; shift >= 0; shift -= 4) text += digits[(word >> shift) & 15];
  return text;
}

}  // namespace heddle::frontend
