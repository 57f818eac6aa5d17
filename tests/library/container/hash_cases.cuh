// Keys and values for tests of hash tables, and random programs for one lane.
#pragma once
#include <heddle/container/hash_key.cuh>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "support/on_device.cuh"
#include "support/samples.cuh"

namespace heddle_test {

// 16 bytes; a torn value is easy to recognise.
struct large_value {
  std::uint32_t parts[4];
};

template <typename Value>
__host__ __device__ Value value_of(std::uint32_t number) {
  if constexpr (sizeof(Value) == 16) {
    return Value{{number, number + 1, ~number, number * 3}};
  } else if constexpr (sizeof(Value) == 8) {
    return static_cast<Value>(number) << 32 | (number ^ 0x5a5a5a5au);
  } else {
    return static_cast<Value>(number);
  }
}
// The number of a value, or one that no test uses if it is torn. Small values keep 8 bits of it.
template <typename Value>
__host__ __device__ std::uint32_t number_of(const Value& value) {
  constexpr std::uint32_t torn = 0xdeadbeef;
  if constexpr (sizeof(Value) == 16) {
    const std::uint32_t number = value.parts[0];
    const bool is_whole =
        value.parts[1] == number + 1 && value.parts[2] == ~number && value.parts[3] == number * 3;
    return is_whole ? number : torn;
  } else if constexpr (sizeof(Value) == 8) {
    const auto number = static_cast<std::uint32_t>(value >> 32);
    return static_cast<std::uint32_t>(value) == (number ^ 0x5a5a5a5au) ? number : torn;
  } else {
    return static_cast<std::uint32_t>(value);
  }
}

// Keys far apart and in no order; 8-byte keys use all bytes.
template <typename Key>
__host__ __device__ Key key_of(std::uint32_t number) {
  if constexpr (sizeof(Key) == 8) {
    return static_cast<Key>(number * 0x9e3779b97f4a7c15ull >> 1);
  } else {
    return static_cast<Key>(number * 2654435761u >> 1);
  }
}
template <typename Key>
std::vector<Key> keys_of(std::uint32_t first, std::uint32_t count) {
  std::vector<Key> keys;
  for (std::uint32_t i = 0; i < count; ++i) keys.push_back(key_of<Key>(first + i));
  return keys;
}

// Flags in device memory.
class device_flags {
 public:
  explicit device_flags(std::size_t count) : bytes_(count) {}
  [[nodiscard]] bool* data() const { return reinterpret_cast<bool*>(bytes_.data()); }
  [[nodiscard]] std::vector<unsigned char> values() const { return bytes_.values(); }

 private:
  device_array<unsigned char> bytes_;
};

enum class method : std::uint32_t { insert, insert_or_assign, find, erase };
struct step {
  method what;
  std::uint32_t key, value;
};

inline std::vector<step> random_steps(std::uint64_t round, int count, std::uint32_t keys) {
  std::vector<step> steps;
  for (int i = 0; i < count; ++i) {
    const std::uint64_t bits = sample_bits(seed() + round, static_cast<std::uint64_t>(i));
    steps.push_back({static_cast<method>(bits % 4), static_cast<std::uint32_t>(bits >> 8) % keys,
                     static_cast<std::uint32_t>(bits >> 40) % 251});
  }
  return steps;
}

// Results in the encoding that the device uses: the insertion, the value found or -1, the bool.
inline int as_answer(heddle::container::insertion said) { return static_cast<int>(said); }

template <typename T>
std::size_t count_of(const std::vector<T>& values, std::type_identity_t<T> wanted) {
  std::size_t count = 0;
  for (const T& value : values) count += value == wanted ? 1 : 0;
  return count;
}

// Inserts the keys [first, first + count), with values that are `shift` larger.
template <typename Map, typename Key, typename Value>
std::vector<heddle::container::insertion> insert_range(Map& map, unsigned first, unsigned count,
                                                       unsigned shift) {
  std::vector<Value> brought;
  for (unsigned i = 0; i < count; ++i)
    brought.push_back(value_of<Value>((first + i + shift) % 251));
  const device_array<Key> keys(keys_of<Key>(first, count));
  const device_array<Value> values(brought);
  device_array<heddle::container::insertion> answers(count);
  map.insert(keys.data(), values.data(), count, answers.data());
  check(cudaDeviceSynchronize(), "insert");
  return answers.values();
}

}  // namespace heddle_test
