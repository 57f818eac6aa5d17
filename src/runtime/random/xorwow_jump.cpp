// Moves XORWOW ahead. Its step is a 160 x 160 matrix over GF(2), so many steps are a power of it.
#include <heddle_host/random_jump.hpp>

#include <array>
#include <memory>

namespace heddle_host {
namespace {

constexpr int word_count = 5;
constexpr int bit_count = 32 * word_count;
constexpr int power_count = 67 + 64;  // up to 2^63 subsequences of 2^67 steps

// Row i is the image of bit i. The image of a state is the xor of the rows of its set bits.
using matrix = std::array<xorwow_words, bit_count>;

xorwow_words step(const xorwow_words& from) {
  const unsigned int mixed = from.v[0] ^ from.v[0] >> 2;
  const unsigned int newest = from.v[4];
  return {{from.v[1], from.v[2], from.v[3], from.v[4], newest ^ newest << 4 ^ mixed ^ mixed << 1}};
}

xorwow_words image(const matrix& by, const xorwow_words& from) {
  xorwow_words result{};
  for (int word = 0; word < word_count; ++word) {
    for (unsigned int bits = from.v[word]; bits != 0; bits &= bits - 1) {
      const xorwow_words& row = by[32 * word + __builtin_ctz(bits)];
      for (int i = 0; i < word_count; ++i) result.v[i] ^= row.v[i];
    }
  }
  return result;
}

// Element k moves a state by 2^k steps.
using table = std::array<matrix, power_count>;

std::unique_ptr<const table> make_table() {
  auto powers = std::make_unique<table>();
  for (int bit = 0; bit < bit_count; ++bit) {
    xorwow_words single{};
    single.v[bit / 32] = 1u << bit % 32;
    (*powers)[0][bit] = step(single);
  }
  for (int k = 1; k < power_count; ++k) {
    const matrix& half = (*powers)[k - 1];
    for (int bit = 0; bit < bit_count; ++bit) (*powers)[k][bit] = image(half, half[bit]);
  }
  return powers;
}

const table& powers_of_two() {
  static const std::unique_ptr<const table> only = make_table();
  return *only;
}

// Initialised before main. Otherwise a lane could be preempted during the initialisation, and
// another lane of its thread would enter it again.
[[maybe_unused]] const table& made_early = powers_of_two();

}  // namespace

xorwow_words xorwow_after(xorwow_words from, unsigned long long count, int log2_distance) {
  for (int k = log2_distance; count != 0; ++k, count >>= 1) {
    if (count & 1) from = image(powers_of_two()[k], from);
  }
  return from;
}

}  // namespace heddle_host
