// The values that fill fresh memory in checked runs.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace heddle_checker {

// Not a plausible number of any type.
inline constexpr std::uint64_t first_poison = 0xfff8deadfff8dead;

inline void fill_with_poison(void* memory, std::size_t bytes) {
  auto* const first = static_cast<unsigned char*>(memory);
  for (std::size_t i = 0; i < bytes; ++i) {
    first[i] = static_cast<unsigned char>(first_poison >> i % 8 * 8);
  }
}

// The values that are tried instead, in this order: a plausible number of each type; zero, which
// programs often find and rely on; then numbers larger and smaller than most, for code that only
// takes a maximum or a minimum.
inline constexpr std::array<std::uint64_t, 4> other_poisons{0x0101010101010101, 0,
                                                            0x7f7f7f7f7f7f7f7f, 0xfefefefefefefefe};

}  // namespace heddle_checker
