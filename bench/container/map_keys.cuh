// Distinct pseudo-random keys, and values that can be computed from them.
#pragma once
#include <cstddef>
#include <cstdint>

namespace heddle_bench {

// The `index`-th key: distinct for each index below 2^31, and never a reserved key.
__host__ __device__ inline std::uint32_t key_at(std::uint32_t index) {
  constexpr std::uint32_t mask = 0x7fffffff;
  std::uint32_t key = index * 0x2c1b3c6du & mask;  // odd factors and right shifts are
  key ^= key >> 15;                                // invertible, so keys are distinct
  key = key * 0x297a2d39u & mask;
  return key ^ key >> 16;
}
template <typename Key>
__host__ __device__ inline Key wide_key_at(std::uint32_t index) {
  if constexpr (sizeof(Key) == 4) {
    return key_at(index);
  } else {
    return static_cast<Key>(key_at(index)) * 0x9e3779b97f4a7c15ull >> 1;  // < 2^63: not reserved
  }
}
template <typename Value, typename Key>
__host__ __device__ inline Value value_of(Key key) {
  return static_cast<Value>(key * 5 + 3);
}

// Keys from `first` on; with `every_second_is_new`, every second one is beyond `first` + `count`.
template <typename Key>
__global__ void write_keys(Key* keys, std::uint32_t count, std::uint32_t first,
                           bool every_second_is_new) {
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += gridDim.x * blockDim.x) {
    const bool is_new = every_second_is_new && i % 2 == 1;
    keys[i] = wide_key_at<Key>(first + i / (every_second_is_new ? 2 : 1) + (is_new ? count : 0));
  }
}
template <typename Key, typename Value>
__global__ void write_values(const Key* keys, Value* values, std::uint32_t count) {
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += gridDim.x * blockDim.x) {
    values[i] = value_of<Value>(keys[i]);
  }
}

// Counts wrong results. If every second key is new, the new keys have no value in the map.
template <typename Key, typename Value>
__global__ void count_wrong_values(const Key* keys, const Value* values, const bool* found,
                                   std::uint32_t count, bool every_second_is_new,
                                   unsigned long long* wrong) {
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += gridDim.x * blockDim.x) {
    const bool is_there = !every_second_is_new || i % 2 == 0;
    const bool is_right =
        found[i] == is_there && (!is_there || values[i] == value_of<Value>(keys[i]));
    if (!is_right) atomicAdd(wrong, 1ull);
  }
}
template <typename Answer>
__global__ void count_other_answers(const Answer* answers, std::uint32_t count, Answer expected,
                                    unsigned long long* wrong) {
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += gridDim.x * blockDim.x) {
    if (answers[i] != expected) atomicAdd(wrong, 1ull);
  }
}

}  // namespace heddle_bench
