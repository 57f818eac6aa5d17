// What fresh memory holds in checked runs that are compared.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace heddle_checker {

// No plausible number of any type.
inline constexpr std::uint64_t first_poison = 0xfff8deadfff8dead;

inline void fill_with_poison(void* memory, std::size_t bytes) {
  auto* const first = static_cast<unsigned char*>(memory);
  for (std::size_t i = 0; i < bytes; ++i) {
    first[i] = static_cast<unsigned char>(first_poison >> i % 8 * 8);
  }
}

// With what a run is compared, in this order: a plausible number of each type; what a program often
// finds, and hopes for; then, for those who ask only for a maximum or a minimum, numbers that are
// larger or smaller than most.
inline constexpr std::array<std::uint64_t, 4> other_poisons{0x0101010101010101, 0,
                                                            0x7f7f7f7f7f7f7f7f, 0xfefefefefefefefe};

}  // namespace heddle_checker
