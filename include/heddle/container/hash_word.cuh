// The contents of a one-word hash table slot: a key, perhaps with a value; empty; or a tombstone.
#pragma once
#include <heddle/container/hash_key.cuh>
#include <heddle/sync/access.cuh>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace heddle::container::detail {

// Stands in for the value in sets.
struct no_value {};

template <typename Value>
__host__ __device__ inline std::uint32_t value_bits(const Value& value) {
  std::uint32_t bits = 0;
  if constexpr (!std::is_empty_v<Value>) std::memcpy(&bits, &value, sizeof(Value));
  return bits;
}

// A 4-byte key and a value of up to 4 bytes. A tombstone holds the epoch of the erasure in place of
// the value.
template <typename Key, typename Value>
struct pair_word {
  using word = unsigned long long;
  using bits = std::uint32_t;
  static constexpr int reserved = 2;

  __device__ static word filled(bits key, const Value& value) {
    return static_cast<word>(value_bits(value)) << 32 | key;
  }
  __device__ static bits key(word held) { return static_cast<bits>(held); }
  __device__ static Value value(word held) {
    Value read{};
    const auto high = static_cast<std::uint32_t>(held >> 32);
    if constexpr (!std::is_empty_v<Value>) std::memcpy(&read, &high, sizeof(Value));
    return read;
  }
  __host__ __device__ static word empty(const reserved_bits<bits>& keys) { return keys.empty; }
  __device__ static word erased(const reserved_bits<bits>& keys, std::uint32_t epoch) {
    return static_cast<word>(epoch) << 32 | keys.erased;
  }
  __device__ static bool was_erased(word held, const reserved_bits<bits>& keys) {
    return key(held) == keys.erased;
  }
  // For a slot that was erased.
  __device__ static bool is_of_earlier_epoch(word held, const reserved_bits<bits>&,
                                             std::uint32_t epoch) {
    return static_cast<std::uint32_t>(held >> 32) != epoch;
  }
};

// An 8-byte key without a value. It has no room for an epoch, so even and odd epochs use different
// tombstones. A tombstone left from two epochs ago looks new, and is not reused until the next
// epoch.
template <typename Key>
struct key_word {
  using word = unsigned long long;
  using bits = unsigned long long;
  static constexpr int reserved = 3;

  __device__ static word filled(bits key, no_value) { return key; }
  __device__ static bits key(word held) { return held; }
  __device__ static no_value value(word) { return {}; }
  __host__ __device__ static word empty(const reserved_bits<bits>& keys) { return keys.empty; }
  __device__ static word erased(const reserved_bits<bits>& keys, std::uint32_t epoch) {
    return epoch % 2 == 0 ? keys.erased : keys.erased_too;
  }
  __device__ static bool was_erased(word held, const reserved_bits<bits>& keys) {
    return held == keys.erased || held == keys.erased_too;
  }
  __device__ static bool is_of_earlier_epoch(word held, const reserved_bits<bits>& keys,
                                             std::uint32_t epoch) {
    return held != erased(keys, epoch);
  }
};

}  // namespace heddle::container::detail
