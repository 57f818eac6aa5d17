// What fresh memory holds in checked runs that are compared.
#pragma once
#include <cstdint>

namespace heddle_checker {

// The first is no plausible number of any type; the second is one of each; the third is what a
// program often finds, and hopes for.
inline constexpr std::uint64_t first_poison = 0xfff8deadfff8dead;
inline constexpr std::uint64_t second_poison = 0x0101010101010101;
inline constexpr std::uint64_t third_poison = 0;

}  // namespace heddle_checker
