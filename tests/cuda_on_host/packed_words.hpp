// Operands and a reference for functions that work on the parts of a word.
#pragma once
#include <cstdint>
#include <functional>
#include <random>

#include "support/seed.hpp"

using long_operation = std::function<long(long, long)>;

// Applies the operation to each part of `bits` bits and packs the results.
inline unsigned int taken_apart(unsigned int a, unsigned int b, int bits, bool is_signed,
                                const long_operation& operation) {
  const unsigned int range = 1u << bits;
  unsigned int result = 0;
  for (int position = 32 - bits; position >= 0; position -= bits) {
    long x = static_cast<long>(a / (1u << position) % range);
    long y = static_cast<long>(b / (1u << position) % range);
    if (is_signed && x >= range / 2) x -= range;
    if (is_signed && y >= range / 2) y -= range;
    result = result * range + static_cast<unsigned int>(operation(x, y) & (range - 1));
  }
  return result;
}

// Random words, words close to the previous one, and words whose parts are extreme.
class packed_word_source {
 public:
  explicit packed_word_source(std::uint64_t seed) : engine_(seed) {}
  unsigned int operator()() {
    constexpr unsigned int extremes[] = {0x00000000u, 0xffffffffu, 0x80808080u, 0x7f7f7f7fu,
                                         0x80008000u, 0x7fff7fffu, 0x00010001u, 0xff01807fu};
    const std::uint64_t choice = engine_();
    const auto fresh = static_cast<unsigned int>(engine_());
    switch (choice % 5) {
      case 0:
        return last_ = extremes[choice / 5 % 8];
      case 1:
        return last_ ^= fresh & 0x01000180u;
      case 2:
        return last_ ^= 0x80808080u;
      default:
        return last_ = fresh;
    }
  }

 private:
  std::mt19937_64 engine_;
  unsigned int last_ = 0;
};
