// Shifts as a GPU computes them: a distance of the operand's width or more shifts everything out.
// The frontend turns `x << n` in device code into `x << as_gpu << n`. It need not know any types
// for that: the first operator wraps x in an object, and the second one shifts that.
#pragma once
#include <type_traits>

namespace heddle_host {

// gnu::artificial makes debuggers step over the function.
#define HEDDLE_SHIFT [[gnu::always_inline, gnu::artificial]] inline constexpr

struct gpu_shift {};
inline constexpr gpu_shift as_gpu{};

// An integer after promotion.
template <typename T>
struct shifted_integer {
  T value;
};
// Anything else, such as a stream.
template <typename T>
struct shifted_object {
  T&& value;
};

// Tells the running tool, if any.
void note_wide_shift(int distance, unsigned width);

// A GPU takes the lowest 32 bits of the distance, as an unsigned number.
template <typename T>
HEDDLE_SHIFT bool is_wide_shift(unsigned distance) {
  if (distance < 8 * sizeof(T)) return false;
#ifdef HEDDLE_CHECKED
  if (!__builtin_is_constant_evaluated())
    note_wide_shift(static_cast<int>(distance), 8 * sizeof(T));
#endif
  return true;
}
template <typename T>
HEDDLE_SHIFT T shift_left(T value, unsigned distance) {
  if (is_wide_shift<T>(distance)) return 0;
  return static_cast<T>(static_cast<std::make_unsigned_t<T>>(value) << distance);
}
template <typename T>
HEDDLE_SHIFT T shift_right(T value, unsigned distance) {
  if (is_wide_shift<T>(distance)) return static_cast<T>(value < 0 ? -1 : 0);
  return static_cast<T>(value >> distance);
}

// Not templates: x may be a bit-field, which cannot bind to a reference.
#define HEDDLE_SHIFTED(type)                                                                    \
  HEDDLE_SHIFT shifted_integer<decltype(+type{})> operator<<(type x, gpu_shift) { return {x}; } \
  HEDDLE_SHIFT shifted_integer<decltype(+type{})> operator>>(type x, gpu_shift) { return {x}; }
HEDDLE_SHIFTED(bool)
HEDDLE_SHIFTED(char)
HEDDLE_SHIFTED(wchar_t)
HEDDLE_SHIFTED(char16_t)
HEDDLE_SHIFTED(char32_t)
HEDDLE_SHIFTED(short)
HEDDLE_SHIFTED(int)
HEDDLE_SHIFTED(long)
using signed_char = signed char;
using unsigned_char = unsigned char;
using unsigned_short = unsigned short;
using unsigned_int = unsigned int;
using unsigned_long = unsigned long;
__extension__ typedef long long long_long;
__extension__ typedef unsigned long long unsigned_long_long;
HEDDLE_SHIFTED(signed_char)
HEDDLE_SHIFTED(unsigned_char)
HEDDLE_SHIFTED(unsigned_short)
HEDDLE_SHIFTED(unsigned_int)
HEDDLE_SHIFTED(unsigned_long)
HEDDLE_SHIFTED(long_long)
HEDDLE_SHIFTED(unsigned_long_long)
#undef HEDDLE_SHIFTED

template <typename T>
HEDDLE_SHIFT shifted_object<T> operator<<(T&& x, gpu_shift) {
  return {static_cast<T&&>(x)};
}
template <typename T>
HEDDLE_SHIFT shifted_object<T> operator>>(T&& x, gpu_shift) {
  return {static_cast<T&&>(x)};
}

template <typename T, typename N>
HEDDLE_SHIFT decltype(auto) operator<<(shifted_integer<T> x, N n) {
  if constexpr (std::is_integral_v<N>) {
    return shift_left(x.value, static_cast<unsigned>(n));
  } else {
    return x.value << n;
  }
}
template <typename T, typename N>
HEDDLE_SHIFT decltype(auto) operator>>(shifted_integer<T> x, N n) {
  if constexpr (std::is_integral_v<N>) {
    return shift_right(x.value, static_cast<unsigned>(n));
  } else {
    return x.value >> n;
  }
}
template <typename T, typename N>
HEDDLE_SHIFT decltype(auto) operator<<(shifted_object<T> x, N&& n) {
  return static_cast<T&&>(x.value) << static_cast<N&&>(n);
}
template <typename T, typename N>
HEDDLE_SHIFT decltype(auto) operator>>(shifted_object<T> x, N&& n) {
  return static_cast<T&&>(x.value) >> static_cast<N&&>(n);
}

// `x <<= as_gpu <<= n` assigns from right to left: the first operator to run wraps n, and the
// second one shifts x by it. What is no integer keeps its own operator.
template <typename N>
struct gpu_distance {
  N n;
};
template <typename N>
HEDDLE_SHIFT auto operator<<=(gpu_shift, N&& n) {
  return gpu_distance<N&&>{static_cast<N&&>(n)};
}
template <typename N>
HEDDLE_SHIFT auto operator>>=(gpu_shift, N&& n) {
  return gpu_distance<N&&>{static_cast<N&&>(n)};
}
template <typename T, typename N>
inline constexpr bool are_integers =
    std::is_integral_v<std::remove_reference_t<T>>&& std::is_integral_v<std::remove_reference_t<N>>;
template <typename T, typename N>
HEDDLE_SHIFT decltype(auto) operator<<=(T&& x, gpu_distance<N> distance) {
  if constexpr (are_integers<T, N>) {
    x = static_cast<std::remove_cv_t<std::remove_reference_t<T>>>(
        shift_left(+x, static_cast<unsigned>(distance.n)));
    return (x);
  } else {
    return static_cast<T&&>(x) <<= static_cast<N>(distance.n);
  }
}
template <typename T, typename N>
HEDDLE_SHIFT decltype(auto) operator>>=(T&& x, gpu_distance<N> distance) {
  if constexpr (are_integers<T, N>) {
    x = static_cast<std::remove_cv_t<std::remove_reference_t<T>>>(
        shift_right(+x, static_cast<unsigned>(distance.n)));
    return (x);
  } else {
    return static_cast<T&&>(x) >>= static_cast<N>(distance.n);
  }
}

#undef HEDDLE_SHIFT

}  // namespace heddle_host
