// Splits values into 32-bit words, which shuffles and matches can move.
#pragma once
#include <heddle/core/config.cuh>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace heddle {

// Types that lanes can exchange: trivially copyable, of up to 64 bytes.
template <typename T>
concept exchangeable = std::is_trivially_copyable_v<T> && sizeof(T) <= 64;

namespace detail {

// The bits of a T; the last word is padded with zeros.
template <exchangeable T>
struct words_of {
  static constexpr int count = static_cast<int>((sizeof(T) + 3) / 4);
  std::uint32_t words[count];

  __device__ words_of() : words{} {}
  __device__ explicit words_of(const T& value) : words{} { std::memcpy(words, &value, sizeof(T)); }

  [[nodiscard]] __device__ T value() const {
    alignas(T) unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, words, sizeof(T));
    return *reinterpret_cast<const T*>(bytes);
  }
};

}  // namespace detail
}  // namespace heddle
