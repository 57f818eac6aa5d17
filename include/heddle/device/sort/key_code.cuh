// Turns keys of every number type into unsigned words that sort the same way, and back.
#pragma once
#include <heddle/core/operators.cuh>
#include <heddle/core/ordering.cuh>

#include <cstdint>
#include <type_traits>

namespace heddle::device::detail {

// The unsigned integer with as many bits as a key.
template <typename Key>
using key_word = heddle::detail::unsigned_of<static_cast<int>(sizeof(Key))>;

// The bits that differ between a key and its code. Data, not a type: so all keys of one size and
// both orders share their kernels. A code keeps the bits of an unsigned key, flips the sign bit of
// a signed or floating-point one, and flips the other bits of a negative floating-point one. To
// descend, all bits are flipped once more.
template <typename Word>
struct key_code {
  Word flipped;           // in every key
  Word flipped_negative;  // also in keys whose top bit is set; never the top bit itself

  [[nodiscard]] __host__ __device__ Word encode(Word key) const { return flip(key) ^ flipped; }
  [[nodiscard]] __host__ __device__ Word decode(Word code) const {
    return flip(static_cast<Word>(code ^ flipped));
  }

 private:
  [[nodiscard]] __host__ __device__ Word flip(Word key) const {
    const bool is_negative = key >> (8 * sizeof(Word) - 1) != 0;
    return static_cast<Word>(key ^ (is_negative ? flipped_negative : Word{0}));
  }
};

template <typename Key>
[[nodiscard]] key_code<key_word<Key>> code_of(bool is_descending) {
  using word = key_word<Key>;
  constexpr word sign = static_cast<word>(word{1} << (8 * sizeof(Key) - 1));
  constexpr bool has_sign = is_floating<Key> || std::is_signed_v<Key>;
  const word flipped = has_sign ? sign : word{0};
  return {static_cast<word>(is_descending ? ~flipped : flipped),
          is_floating<Key> ? static_cast<word>(~sign) : word{0}};
}

}  // namespace heddle::device::detail
