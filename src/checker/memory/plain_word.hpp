// Loads and stores one word of the program's memory without memcpy, which the checker intercepts.
#pragma once
#include <cstdint>

namespace heddle_checker {

template <typename Visit>
auto with_word_of(unsigned bytes, Visit visit) {
  switch (bytes) {
    case 1:
      return visit(std::uint8_t{});
    case 2:
      return visit(std::uint16_t{});
    case 4:
      return visit(std::uint32_t{});
    default:
      return visit(std::uint64_t{});
  }
}

inline std::uint64_t load_word(std::uintptr_t address, unsigned bytes) {
  return with_word_of(bytes, [&](auto word) -> std::uint64_t {
    return *reinterpret_cast<const volatile decltype(word)*>(address);
  });
}

inline void store_word(std::uintptr_t address, unsigned bytes, std::uint64_t value) {
  with_word_of(bytes, [&](auto word) {
    *reinterpret_cast<volatile decltype(word)*>(address) = static_cast<decltype(word)>(value);
  });
}

}  // namespace heddle_checker
