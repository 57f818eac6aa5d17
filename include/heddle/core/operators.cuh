// The operators of reductions and scans, their identities, and which of them commute.
#pragma once
#include <heddle/core/config.cuh>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <concepts>
#include <limits>
#include <type_traits>

namespace heddle {

// Op combines two values of T into one.
template <typename Op, typename T>
concept combines = requires(const Op& op, const T& a, const T& b) {
  { op(a, b) } -> std::convertible_to<T>;
};

// True for half and bfloat16.
template <typename T>
inline constexpr bool is_short_float =
    std::is_same_v<T, __half> || std::is_same_v<T, __nv_bfloat16>;

// True for every floating-point type, including half and bfloat16.
template <typename T>
inline constexpr bool is_floating = std::is_floating_point_v<T> || is_short_float<T>;

// True for every integer and floating-point type.
template <typename T>
inline constexpr bool is_number = std::is_arithmetic_v<T> || is_short_float<T>;

// The type in which a sum of T is accumulated: float for half and bfloat16, which would lose
// digits.
template <typename T>
using accumulator = std::conditional_t<is_short_float<T>, float, T>;

// a + b. Operators are stateless; `plus{}(a, b)` works for every type that `a + b` does.
struct plus {
  template <typename T>
  __host__ __device__ constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>(a + b);
  }
};

// a * b
struct multiplies {
  template <typename T>
  __host__ __device__ constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>(a * b);
  }
};

// a & b
struct bit_and {
  template <typename T>
  __host__ __device__ constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>(a & b);
  }
};

// a | b
struct bit_or {
  template <typename T>
  __host__ __device__ constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>(a | b);
  }
};

// a ^ b
struct bit_xor {
  template <typename T>
  __host__ __device__ constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>(a ^ b);
  }
};

// a && b
struct logical_and {
  template <typename T>
  __host__ __device__ constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>(a && b);
  }
};

// a || b
struct logical_or {
  template <typename T>
  __host__ __device__ constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>(a || b);
  }
};

// True if exactly one of the two is true.
struct logical_xor {
  template <typename T>
  __host__ __device__ constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>(!a != !b);
  }
};

// The smaller of two values. For floating-point numbers, a NaN loses against any number (two NaNs
// give a NaN) and -0 is smaller than +0; only if the compiler knows that both are zero may it take
// either. Other types are compared with <; of two equal values the first is taken.
struct minimum {
  template <typename T>
  __host__ __device__ constexpr T operator()(const T& a, const T& b) const {
    if constexpr (std::is_same_v<T, float>) {
      return fminf(a, b);
    } else if constexpr (std::is_same_v<T, double>) {
      return fmin(a, b);
    } else if constexpr (is_short_float<T>) {
      return __hmin(a, b);
    } else {
      return b < a ? b : a;
    }
  }
};

// The larger of two values; see minimum.
struct maximum {
  template <typename T>
  __host__ __device__ constexpr T operator()(const T& a, const T& b) const {
    if constexpr (std::is_same_v<T, float>) {
      return fmaxf(a, b);
    } else if constexpr (std::is_same_v<T, double>) {
      return fmax(a, b);
    } else if constexpr (is_short_float<T>) {
      return __hmax(a, b);
    } else {
      return a < b ? b : a;
    }
  }
};

// The type in which values of T are combined. Sums and products of half and bfloat16 are
// accumulated in float and rounded once. That costs no shuffle: a shuffle moves four bytes anyway.
template <typename T, typename Op>
using carried = std::conditional_t<
    is_short_float<T> && (std::is_same_v<Op, plus> || std::is_same_v<Op, multiplies>), float, T>;

namespace detail {

template <typename T, typename Result>
struct wider_of {
  using type = T;
};
template <typename T, typename Result>
requires is_number<T> && is_number<Result> &&
    (!std::is_same_v<T, Result>)struct wider_of<T, Result> {
  using wide = accumulator<Result>;
  static constexpr bool is_wider = (is_floating<wide> || std::is_integral_v<T>)&&(
      sizeof(wide) > sizeof(T) || std::is_same_v<T, bool>)&&!std::is_same_v<wide, bool>;
  // Negative numbers stay negative on the way to an unsigned result.
  static constexpr bool stays_signed = std::is_signed_v<T> && std::is_unsigned_v<wide>;
  using type = typename std::conditional_t<
      !is_wider, std::type_identity<T>,
      std::conditional_t<stays_signed, std::make_signed<wide>, std::type_identity<wide>>>::type;
};

}  // namespace detail

// The type that elements of T are converted to before they are combined into results of another
// type. Sums and products use the wider of the two, so a sum of bytes in ints does not wrap around;
// flags are added up in the type of the result.
template <typename T, typename Op, typename Result>
using summed_as =
    typename std::conditional_t<std::is_same_v<Op, plus> || std::is_same_v<Op, multiplies>,
                                detail::wider_of<T, Result>, std::type_identity<T>>::type;

// The identity of an operator: the value that leaves every other value unchanged. For your own
// operator, define it as
//   template <> struct heddle::identity_of<my_op, my_type> {
//     __host__ __device__ static my_type value() { … }
//   };
template <typename Op, typename T>
struct identity_of;

template <typename Op, typename T>
concept has_identity = requires {
  { identity_of<Op, T>::value() } -> std::convertible_to<T>;
};

// The identity of Op for T.
template <typename Op, typename T>
requires has_identity<Op, T>
[[nodiscard]] __host__ __device__ T identity() { return identity_of<Op, T>::value(); }

namespace detail {
// The ends of a number type's range: the infinities if it has them. Constants, because device code
// may not call the standard library's functions.
template <typename T>
inline constexpr T upper_end = std::numeric_limits<T>::has_infinity
                                   ? std::numeric_limits<T>::infinity()
                                   : std::numeric_limits<T>::max();
template <typename T>
inline constexpr T lower_end = std::numeric_limits<T>::has_infinity
                                   ? -std::numeric_limits<T>::infinity()
                                   : std::numeric_limits<T>::lowest();
template <typename T, int number>
struct constant_identity {
  __host__ __device__ static T value() { return static_cast<T>(static_cast<float>(number)); }
};
}  // namespace detail

// The identity of plus is +0, so a sum of nothing but -0 becomes +0 if the identity takes part.
template <typename T>
requires is_number<T>
struct identity_of<plus, T> : detail::constant_identity<T, 0> {
};
template <typename T>
requires is_number<T>
struct identity_of<multiplies, T> : detail::constant_identity<T, 1> {
};
template <std::integral T>
struct identity_of<bit_or, T> : detail::constant_identity<T, 0> {};
template <std::integral T>
struct identity_of<bit_xor, T> : detail::constant_identity<T, 0> {};
template <std::integral T>
struct identity_of<bit_and, T> {
  __host__ __device__ static T value() { return static_cast<T>(~T{0}); }
};
template <std::integral T>
struct identity_of<logical_or, T> : detail::constant_identity<T, 0> {};
template <std::integral T>
struct identity_of<logical_xor, T> : detail::constant_identity<T, 0> {};
template <std::integral T>
struct identity_of<logical_and, T> : detail::constant_identity<T, 1> {};
template <typename T>
requires is_number<T>
struct identity_of<minimum, T> {
  __host__ __device__ static T value() { return static_cast<T>(detail::upper_end<accumulator<T>>); }
};
template <typename T>
requires is_number<T>
struct identity_of<maximum, T> {
  __host__ __device__ static T value() { return static_cast<T>(detail::lower_end<accumulator<T>>); }
};

// True if op(a, b) and op(b, a) are bit for bit the same, so that order need not be kept. False for
// your own operator unless you specialise it.
template <typename Op, typename T>
inline constexpr bool commutes = false;
template <typename T>
requires is_number<T>
inline constexpr bool commutes<plus, T> = true;
template <typename T>
requires is_number<T>
inline constexpr bool commutes<multiplies, T> = true;
template <typename T>
requires is_number<T>
inline constexpr bool commutes<minimum, T> = true;
template <typename T>
requires is_number<T>
inline constexpr bool commutes<maximum, T> = true;
template <std::integral T>
inline constexpr bool commutes<bit_and, T> = true;
template <std::integral T>
inline constexpr bool commutes<bit_or, T> = true;
template <std::integral T>
inline constexpr bool commutes<bit_xor, T> = true;
template <std::integral T>
inline constexpr bool commutes<logical_and, T> = true;
template <std::integral T>
inline constexpr bool commutes<logical_or, T> = true;
template <std::integral T>
inline constexpr bool commutes<logical_xor, T> = true;

}  // namespace heddle
