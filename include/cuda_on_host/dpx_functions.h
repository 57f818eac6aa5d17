// CUDA's functions for dynamic programming: a sum followed by a minimum or maximum, three-way
// minima and maxima, and minima and maxima that also say which operand won.
#pragma once
#include <cstdint>

namespace cuda_on_host {

// Sums wrap around within their type, as on the GPU.
struct sum_then_larger {
  template <typename T>
  T operator()(T a, T b, T c) const {
    const auto sum = static_cast<T>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
    return sum < c ? c : sum;
  }
};
struct sum_then_smaller {
  template <typename T>
  T operator()(T a, T b, T c) const {
    const auto sum = static_cast<T>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
    return c < sum ? c : sum;
  }
};
struct largest_of_three {
  template <typename T>
  T operator()(T a, T b, T c) const {
    const T larger = a < b ? b : a;
    return larger < c ? c : larger;
  }
};
struct smallest_of_three {
  template <typename T>
  T operator()(T a, T b, T c) const {
    const T smaller = b < a ? b : a;
    return c < smaller ? c : smaller;
  }
};

// The result of Operation, or zero if that is negative.
template <typename Operation>
struct rectified {
  template <typename T>
  T operator()(T a, T b, T c) const {
    const T value = Operation()(a, b, c);
    return value < 0 ? T(0) : value;
  }
};

// Applies the operation to both 16-bit halves of the words.
template <typename Lane, typename Operation>
inline unsigned int for_both_halves(unsigned int a, unsigned int b, unsigned int c,
                                    Operation operation) {
  const Lane low = operation(static_cast<Lane>(a), static_cast<Lane>(b), static_cast<Lane>(c));
  const Lane high =
      operation(static_cast<Lane>(a >> 16), static_cast<Lane>(b >> 16), static_cast<Lane>(c >> 16));
  return static_cast<std::uint16_t>(low) |
         static_cast<std::uint32_t>(static_cast<std::uint16_t>(high)) << 16;
}

}  // namespace cuda_on_host

#define HEDDLE_OF_THREE(name, operation)                                                           \
  inline int name##_s32(int a, int b, int c) noexcept {                                            \
    return ::cuda_on_host::operation()(a, b, c);                                                   \
  }                                                                                                \
  inline unsigned int name##_u32(unsigned int a, unsigned int b, unsigned int c) noexcept {        \
    return ::cuda_on_host::operation()(a, b, c);                                                   \
  }                                                                                                \
  inline int name##_s32_relu(int a, int b, int c) noexcept {                                       \
    return ::cuda_on_host::rectified<::cuda_on_host::operation>()(a, b, c);                        \
  }                                                                                                \
  inline unsigned int name##_s16x2(unsigned int a, unsigned int b, unsigned int c) noexcept {      \
    return ::cuda_on_host::for_both_halves<std::int16_t>(a, b, c, ::cuda_on_host::operation());    \
  }                                                                                                \
  inline unsigned int name##_u16x2(unsigned int a, unsigned int b, unsigned int c) noexcept {      \
    return ::cuda_on_host::for_both_halves<std::uint16_t>(a, b, c, ::cuda_on_host::operation());   \
  }                                                                                                \
  inline unsigned int name##_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) noexcept { \
    return ::cuda_on_host::for_both_halves<std::int16_t>(                                          \
        a, b, c, ::cuda_on_host::rectified<::cuda_on_host::operation>());                          \
  }
HEDDLE_OF_THREE(__viaddmax, sum_then_larger)
HEDDLE_OF_THREE(__viaddmin, sum_then_smaller)
HEDDLE_OF_THREE(__vimax3, largest_of_three)
HEDDLE_OF_THREE(__vimin3, smallest_of_three)
#undef HEDDLE_OF_THREE

// The larger or smaller of two, or zero if that is negative.
inline int __vimax_s32_relu(int a, int b) noexcept { return __vimax3_s32_relu(a, b, b); }
inline int __vimin_s32_relu(int a, int b) noexcept { return __vimin3_s32_relu(a, b, b); }
inline unsigned int __vimax_s16x2_relu(unsigned int a, unsigned int b) noexcept {
  return __vimax3_s16x2_relu(a, b, b);
}
inline unsigned int __vimin_s16x2_relu(unsigned int a, unsigned int b) noexcept {
  return __vimin3_s16x2_relu(a, b, b);
}

// The larger or smaller of two, and whether it is the first; a tie counts as the first.
#define HEDDLE_WITH_WINNER(name, sign)                                                           \
  inline int name##_s32(int a, int b, bool* is_first) noexcept {                                 \
    *is_first = a sign b;                                                                        \
    return *is_first ? a : b;                                                                    \
  }                                                                                              \
  inline unsigned int name##_u32(unsigned int a, unsigned int b, bool* is_first) noexcept {      \
    *is_first = a sign b;                                                                        \
    return *is_first ? a : b;                                                                    \
  }                                                                                              \
  inline unsigned int name##_s16x2(unsigned int a, unsigned int b, bool* high_is_first,          \
                                   bool* low_is_first) noexcept {                                \
    *high_is_first = static_cast<std::int16_t>(a >> 16) sign static_cast<std::int16_t>(b >> 16); \
    *low_is_first = static_cast<std::int16_t>(a) sign static_cast<std::int16_t>(b);              \
    return ((*high_is_first ? a : b) & 0xffff0000u) | ((*low_is_first ? a : b) & 0xffffu);       \
  }                                                                                              \
  inline unsigned int name##_u16x2(unsigned int a, unsigned int b, bool* high_is_first,          \
                                   bool* low_is_first) noexcept {                                \
    *high_is_first = (a >> 16) sign(b >> 16);                                                    \
    *low_is_first = (a & 0xffffu) sign(b & 0xffffu);                                             \
    return ((*high_is_first ? a : b) & 0xffff0000u) | ((*low_is_first ? a : b) & 0xffffu);       \
  }
HEDDLE_WITH_WINNER(__vibmax, >=)
HEDDLE_WITH_WINNER(__vibmin, <=)
#undef HEDDLE_WITH_WINNER
