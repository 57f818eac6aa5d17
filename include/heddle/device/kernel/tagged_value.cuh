// Passes values of any size from block to block through device memory, without fences.
#pragma once
#include <heddle/core/words.cuh>

#include <cstdint>

namespace heddle::device::detail {

using heddle::detail::words_of;

// One 64-bit word: the number of the writing launch in the high half, 32 bits of a value in the low
// half. A reader that finds its own launch's number in all words of a value has the whole value, in
// whatever order they arrived. So neither fences nor wide atomics are needed, and nothing has to be
// cleared.
__device__ inline void store_word(std::uint64_t* to, std::uint32_t launch, std::uint32_t bits) {
  const std::uint64_t word = static_cast<std::uint64_t>(launch) << 32 | bits;
  asm volatile("st.relaxed.gpu.b64 [%0], %1;" : : "l"(to), "l"(word) : "memory");
}
[[nodiscard]] __device__ inline std::uint64_t load_word(const std::uint64_t* from) {
  std::uint64_t word;
  asm volatile("ld.relaxed.gpu.b64 %0, [%1];" : "=l"(word) : "l"(from) : "memory");
  return word;
}
__device__ inline void load_two_words(const std::uint64_t* from, std::uint64_t& first,
                                      std::uint64_t& second) {
  asm volatile("ld.relaxed.gpu.v2.b64 {%0, %1}, [%2];"
               : "=l"(first), "=l"(second)
               : "l"(from)
               : "memory");
}

// The words of one value in memory, rounded up to an even number if there are several.
template <typename T>
inline constexpr int slot_words = words_of<T>::count == 1 ? 1 : (words_of<T>::count + 1) / 2 * 2;

template <typename T>
struct tagged_value {
  std::uint64_t words[slot_words<T>];

  __device__ static void store(std::uint64_t* to, std::uint32_t launch, const T& value) {
    const words_of<T> bits(value);
#pragma unroll
    for (int i = 0; i < words_of<T>::count; ++i) store_word(to + i, launch, bits.words[i]);
  }
  __device__ void load(const std::uint64_t* from) {
    if constexpr (slot_words<T> == 1) {
      words[0] = load_word(from);
    } else {
#pragma unroll
      for (int i = 0; i < slot_words<T>; i += 2) load_two_words(from + i, words[i], words[i + 1]);
    }
  }
  // True if that launch wrote all of it.
  [[nodiscard]] __device__ bool is_of(std::uint32_t launch) const {
    bool is_whole = true;
#pragma unroll
    for (int i = 0; i < words_of<T>::count; ++i) {
      is_whole = is_whole && static_cast<std::uint32_t>(words[i] >> 32) == launch;
    }
    return is_whole;
  }
  [[nodiscard]] __device__ T value() const {
    words_of<T> bits;
#pragma unroll
    for (int i = 0; i < words_of<T>::count; ++i) {
      bits.words[i] = static_cast<std::uint32_t>(words[i]);
    }
    return bits.value();
  }
};

}  // namespace heddle::device::detail
