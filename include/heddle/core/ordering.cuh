// Orders of keys, and integer codes that sort as the numbers they stand for.
#pragma once
#include <heddle/core/operators.cuh>

#include <concepts>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace heddle {

// A strict weak ordering: before(a, b) is true if `a` must come before `b`.
template <typename Before, typename T>
concept orders = requires(const Before& before, const T& a, const T& b) {
  { before(a, b) } -> std::convertible_to<bool>;
};

namespace detail {
template <int bytes>
using unsigned_of = std::conditional_t<
    bytes == 8, std::uint64_t,
    std::conditional_t<bytes == 4, std::uint32_t,
                       std::conditional_t<bytes == 2, std::uint16_t, std::uint8_t>>>;

// The bit layout of a floating-point type: its word, sign bit and infinity.
template <typename T>
struct float_bits {
  using word = unsigned_of<static_cast<int>(sizeof(T))>;
  static constexpr word sign = word{1} << (8 * sizeof(T) - 1);
  static constexpr word infinity =
      sizeof(T) == 8   ? static_cast<word>(0x7ff0000000000000ull)
      : sizeof(T) == 4 ? static_cast<word>(0x7f800000u)
                       : static_cast<word>(std::is_same_v<T, __half> ? 0x7c00u : 0x7f80u);
  // The positions of the infinities when bit patterns are laid out from -NaN through -∞ and +∞ to
  // +NaN.
  static constexpr word minus_infinity_at = static_cast<word>(~(sign | infinity));
  static constexpr word plus_infinity_at = sign | infinity;

  __host__ __device__ static word laid_out(T number) {
    word bits;
    std::memcpy(&bits, &number, sizeof(T));
    return static_cast<word>((bits & sign) != 0 ? ~bits : bits | sign);
  }
  __host__ __device__ static T number_at(word place) {
    const word bits = static_cast<word>((place & sign) != 0 ? place ^ sign : ~place);
    alignas(T) unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &bits, sizeof(T));
    return *reinterpret_cast<const T*>(bytes);
  }
};
}  // namespace detail

// True for the number types that ascending and descending can map to integers of 4 or 8 bytes.
template <typename T>
inline constexpr bool has_order_code = is_number<T> && sizeof(T) <= 8;

// The type of a code: for integers the type itself, widened to at least 4 bytes; for floating-point
// numbers an unsigned integer.
template <typename T>
using order_code =
    std::conditional_t<std::is_integral_v<T> && std::is_signed_v<T>,
                       std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>,
                       std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>>;

// The smaller key first. For floating-point numbers, -0 comes before +0 and every NaN after all
// numbers (NaNs among themselves are ordered by their bits). Other types are compared with <.
struct ascending {
  template <typename T>
  [[nodiscard]] __host__ __device__ constexpr bool operator()(const T& a, const T& b) const {
    if constexpr (is_floating<T>) {
      return code(a) < code(b);
    } else {
      return a < b;
    }
  }

  // Maps a number to its code, and back; the smaller code comes first. The codes of one- and
  // two-byte types fit in 16 bits.
  template <typename T>
  requires has_order_code<T>
  [[nodiscard]] __host__ __device__ static order_code<T> code(T number) {
    if constexpr (is_floating<T>) {
      using bits = detail::float_bits<T>;
      return static_cast<typename bits::word>(bits::laid_out(number) - bits::minus_infinity_at);
    } else {
      return static_cast<order_code<T>>(number);
    }
  }
  template <typename T>
  requires has_order_code<T>
  [[nodiscard]] __host__ __device__ static T number(order_code<T> code) {
    if constexpr (is_floating<T>) {
      using bits = detail::float_bits<T>;
      return bits::number_at(static_cast<typename bits::word>(code + bits::minus_infinity_at));
    } else {
      return static_cast<T>(code);
    }
  }
};

// The larger key first. For floating-point numbers, +0 comes before -0 and every NaN after all
// numbers, as in ascending. Other types are compared with <.
struct descending {
  template <typename T>
  [[nodiscard]] __host__ __device__ constexpr bool operator()(const T& a, const T& b) const {
    if constexpr (is_floating<T>) {
      return code(a) < code(b);
    } else {
      return b < a;
    }
  }

  // The same functions as in ascending, for this order.
  template <typename T>
  requires has_order_code<T>
  [[nodiscard]] __host__ __device__ static order_code<T> code(T number) {
    if constexpr (is_floating<T>) {
      using bits = detail::float_bits<T>;
      return static_cast<typename bits::word>(bits::plus_infinity_at - bits::laid_out(number));
    } else if constexpr (std::is_unsigned_v<T> && sizeof(T) < 4) {
      return 0xffffu - number;
    } else {
      return static_cast<order_code<T>>(~static_cast<order_code<T>>(number));
    }
  }
  template <typename T>
  requires has_order_code<T>
  [[nodiscard]] __host__ __device__ static T number(order_code<T> code) {
    if constexpr (is_floating<T>) {
      using bits = detail::float_bits<T>;
      return bits::number_at(static_cast<typename bits::word>(bits::plus_infinity_at - code));
    } else if constexpr (std::is_unsigned_v<T> && sizeof(T) < 4) {
      return static_cast<T>(0xffffu - code);
    } else {
      return static_cast<T>(~code);
    }
  }
};

// True if `Before` orders T by integer codes.
template <typename Before, typename T>
inline constexpr bool orders_by_code = has_order_code<T> && (std::is_same_v<Before, ascending> ||
                                                             std::is_same_v<Before, descending>);

}  // namespace heddle
