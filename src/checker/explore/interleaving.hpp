// Text that a person can copy for an interleaving: which lane runs after each switch.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace heddle_checker {

struct turn {
  std::uint64_t step = 0;  // accesses of all lanes, counted from the program's first
  std::uint64_t lane = 0;  // linear index in the grid
};
using interleaving = std::vector<turn>;

// `0.0-7.32-12.0`: lane 32 makes accesses 7 to 11.
std::string text_of(const interleaving& what);
// Throws std::invalid_argument with a sentence for any other text.
interleaving read_interleaving(const std::string& text);

}  // namespace heddle_checker
