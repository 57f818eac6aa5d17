// Random operands for the tests of this folder, from a seed that a failure prints.
#pragma once
#include <cstdint>
#include <cstring>
#include <random>

#include "support/seed.hpp"

template <typename To, typename From>
To as_bits(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(static_cast<void*>(&to), &from, sizeof(to));
  return to;
}

// Floats of all kinds: any pattern; a pattern close to the previous one, so that sums cancel; and
// special values.
template <typename Float, typename Bits>
class float_source {
 public:
  explicit float_source(std::uint64_t seed) : engine_(seed) {}
  Float operator()() {
    const std::uint64_t choice = engine_();
    const Bits fresh = static_cast<Bits>(engine_());
    switch (choice % 8) {
      case 0:
        last_ ^= static_cast<Bits>(Bits(1) << (sizeof(Bits) * 8 - 1));
        break;
      case 1:
        last_ = static_cast<Bits>(last_ + (fresh & 7) - 3);
        break;
      case 2:
        last_ ^= static_cast<Bits>(fresh & (~Bits(0) >> (fresh % (sizeof(Bits) * 8))));
        break;
      case 3:
        last_ = static_cast<Bits>(fresh & (Bits(1) << (sizeof(Bits) * 8 - 1) | 0xfff));
        break;
      case 4:
        last_ = as_bits<Bits>(static_cast<Float>(static_cast<int>(fresh % 4096) - 2048));
        break;
      default:
        last_ = fresh;
        break;
    }
    return as_bits<Float>(last_);
  }

 private:
  std::mt19937_64 engine_;
  Bits last_ = 0;
};
