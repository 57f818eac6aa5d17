// Keys of hash tables: their bits, the reserved ones, and the result of an insertion.
#pragma once
#include <heddle/core/error.hpp>
#include <heddle/sync/access.cuh>

#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace heddle::container {

// The result of an insertion.
enum class insertion : std::uint8_t {
  inserted,  // the key is new
  present,   // the key was there; only insert_or_assign() has replaced its value
  full,      // no slot is free for it
  refused,   // the key is reserved
};

// Keys that mark slots and cannot be inserted. Only sets of 8-byte keys use the third one.
template <typename Key>
struct reserved_keys {
  Key empty;       // a slot that was never used
  Key erased;      // a slot whose key was erased
  Key erased_too;  // the same, in another epoch

  // The three largest numbers; for non-integer types, the three largest bit patterns.
  [[nodiscard]] static reserved_keys largest() {
    if constexpr (std::is_integral_v<Key>) {
      constexpr Key most = std::numeric_limits<Key>::max();
      return {most, static_cast<Key>(most - 1), static_cast<Key>(most - 2)};
    } else {
      reserved_keys keys;
      Key* const all[] = {&keys.empty, &keys.erased, &keys.erased_too};
      for (unsigned i = 0; i < 3; ++i) {
        const auto bits = ~sync::detail::bits_of<Key>{i};
        std::memcpy(static_cast<void*>(all[i]), &bits, sizeof(Key));
      }
      return keys;
    }
  }
};

namespace detail {

// Keys are equal if their bits are.
template <typename Key>
inline constexpr bool is_hash_key = sync::word<Key>&& std::has_unique_object_representations_v<Key>;

template <typename Key>
__host__ __device__ inline sync::detail::bits_of<Key> key_bits(const Key& key) {
  sync::detail::bits_of<Key> bits;
  std::memcpy(&bits, &key, sizeof(Key));
  return bits;
}
template <typename Key>
__host__ __device__ inline Key key_from(sync::detail::bits_of<Key> bits) {
  Key key;
  std::memcpy(static_cast<void*>(&key), &bits, sizeof(Key));
  return key;
}

template <typename Bits>
struct reserved_bits {
  Bits empty, erased, erased_too;

  // Whether a key is one of the first `count` of them.
  template <int count>
  [[nodiscard]] __host__ __device__ bool contain(Bits key) const {
    return key == empty || key == erased || (count == 3 && key == erased_too);
  }
};

// Throws heddle::error if two of the first `count` are equal.
template <int count, typename Key>
[[nodiscard]] auto checked_bits(const reserved_keys<Key>& keys, source_location where) {
  using bits = sync::detail::bits_of<Key>;
  const reserved_bits<bits> found{key_bits(keys.empty), key_bits(keys.erased),
                                  key_bits(keys.erased_too)};
  const bool are_different =
      found.empty != found.erased &&
      (count == 2 || (found.empty != found.erased_too && found.erased != found.erased_too));
  if (!are_different) {
    throw error(cudaErrorInvalidValue, "the reserved keys of a hash table must differ", where);
  }
  return found;
}

}  // namespace detail
}  // namespace heddle::container
