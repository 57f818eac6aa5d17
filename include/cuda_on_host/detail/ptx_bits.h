// PTX's instructions on bits: counts, fields, permutations, shifts, logic and dot products.
#pragma once
#include <type_traits>

#include <bit_functions.h>
#include <heddle_host/ptx_values.hpp>

namespace heddle_host::ptx {

template <typename T>
inline u32 popc(T a) {
  return static_cast<u32>(__builtin_popcountll(a));
}
template <typename T>
inline u32 clz(T a) {
  return static_cast<u32>(a == 0 ? 8 * sizeof(T) : __builtin_clzll(a) - (64 - 8 * sizeof(T)));
}
template <typename T>
inline T brev(T a) {
  if constexpr (sizeof(T) == 8)
    return __brevll(a);
  else
    return __brev(a);
}
template <typename T>
inline T fns(T mask, u32 base, s32 offset) {
  return __fns(mask, base, offset);
}

// The highest bit that differs from the sign; all ones if there is none.
template <typename T, how::set modifiers>
inline u32 bfind(T a) {
  using word = std::make_unsigned_t<T>;
  const word bits = static_cast<word>(a < 0 ? ~a : a);
  if (bits == 0) return ~0u;
  const u32 distance = clz<word>(bits);
  return how::has(modifiers, how::shiftamt) ? distance
                                            : static_cast<u32>(8 * sizeof(T) - 1) - distance;
}

// `length` bits from `position` on; a signed field is extended by its highest bit that exists.
template <typename T>
inline T bfe(T a, u32 position, u32 length) {
  using word = std::make_unsigned_t<T>;
  constexpr u32 bits = 8 * sizeof(T);
  position &= 0xff;
  length &= 0xff;
  if (length == 0) return 0;
  const u32 last = position + length - 1 < bits ? position + length - 1 : bits - 1;
  const bool sign = std::is_signed_v<T> && (static_cast<word>(a) >> last & 1) != 0;
  const word field = position < bits ? static_cast<word>(static_cast<word>(a) >> position) : 0;
  const u32 kept = position < bits && length < bits - position ? length
                   : position < bits                           ? bits - position
                                                               : 0;
  const word mask = kept == bits ? ~word(0) : static_cast<word>((word(1) << kept) - 1);
  return static_cast<T>((field & mask) | (sign ? static_cast<word>(~mask) : word(0)));
}

// Puts the low `length` bits of `a` at `position` of `b`.
template <typename T>
inline T bfi(T a, T b, u32 position, u32 length) {
  constexpr u32 bits = 8 * sizeof(T);
  position &= 0xff;
  length &= 0xff;
  if (position >= bits || length == 0) return b;
  const T ones = length >= bits ? ~T(0) : static_cast<T>((T(1) << length) - 1);
  const T mask = static_cast<T>(ones << position);
  return static_cast<T>((b & ~mask) | (static_cast<T>(a << position) & mask));
}

template <typename T, how::set modifiers>
inline T bmsk(u32 position, u32 width) {
  constexpr bool clamps = how::has(modifiers, how::clamp);
  const u32 first = position & 31, end = first + (width & 31);
  if (clamps && position >= 32) return 0;
  const u32 from_first = ~0u << first;
  const bool reaches_end = end >= 32 || (clamps && width >= 32);
  return from_first & (reaches_end ? ~0u : ~(~0u << end));
}

template <typename T, how::set modifiers>
inline T szext(T a, u32 width) {
  if (how::has(modifiers, how::clamp) && width >= 32) return a;
  const u32 bits = width & 31;
  const u32 mask = ~0u << bits;
  const bool sign =
      std::is_signed_v<T> && bits != 0 && (static_cast<u32>(a) >> (bits - 1) & 1) != 0;
  return static_cast<T>((static_cast<u32>(a) & ~mask) | (sign ? mask : 0));
}

// The nibble of byte `i` in the selector that a mode with the number `n` stands for.
template <how::set modifiers>
constexpr u32 nibble_of_mode(u32 n, u32 i) {
  if (how::has(modifiers, how::f4e)) return (n + i) & 7;
  if (how::has(modifiers, how::b4e)) return (n - i) & 7;
  if (how::has(modifiers, how::rc8)) return n;
  if (how::has(modifiers, how::ecl)) return i > n ? i : n;
  if (how::has(modifiers, how::ecr)) return i < n ? i : n;
  return 2 * (n & 1) + (i & 1);  // rc16
}
template <typename T, how::set modifiers>
inline T prmt(T a, T b, u32 selector) {
  if constexpr (modifiers == how::none) {
    return __byte_perm(a, b, selector);
  } else {
    u32 nibbles = 0;
    for (u32 i = 0; i < 4; ++i) nibbles |= nibble_of_mode<modifiers>(selector & 3, i) << (4 * i);
    return __byte_perm(a, b, nibbles);
  }
}

template <typename T>
inline T bit_and(T a, T b) {
  return static_cast<T>(a & b);
}
template <typename T>
inline T bit_or(T a, T b) {
  return static_cast<T>(a | b);
}
template <typename T>
inline T bit_xor(T a, T b) {
  return static_cast<T>(a ^ b);
}
template <typename T>
inline T bit_not(T a) {
  if constexpr (std::is_same_v<T, bool>)
    return !a;
  else
    return static_cast<T>(~a);
}
template <typename T>
inline T cnot(T a) {
  return a == 0 ? 1 : 0;
}

// A distance of all bits or more leaves zeros, or copies of the sign.
template <typename T>
inline T shl(T a, u32 distance) {
  return distance >= 8 * sizeof(T) ? T(0) : static_cast<T>(static_cast<u64>(a) << distance);
}
template <typename T>
inline T shr(T a, u32 distance) {
  if (distance < 8 * sizeof(T)) return static_cast<T>(a >> distance);
  return a < 0 ? static_cast<T>(-1) : T(0);
}
template <typename T, how::set modifiers>
inline T shf_l(T low, T high, u32 distance) {
  if constexpr (how::has(modifiers, how::clamp))
    return __funnelshift_lc(low, high, distance);
  else
    return __funnelshift_l(low, high, distance);
}
template <typename T, how::set modifiers>
inline T shf_r(T low, T high, u32 distance) {
  if constexpr (how::has(modifiers, how::clamp))
    return __funnelshift_rc(low, high, distance);
  else
    return __funnelshift_r(low, high, distance);
}

// Bit 4a + 2b + c of the table is the result for bits a, b and c.
template <typename T>
inline T lop3(T a, T b, T c, u32 table) {
  T result = 0;
  for (u32 row = 0; row < 8; ++row)
    if (table >> row & 1) result |= (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
  return result;
}

// ---- dot products: the types say whether the bytes, and the halves, have signs
template <typename T>
inline s32 byte_of(T word, u32 index) {
  const auto byte = static_cast<u8>(static_cast<u32>(word) >> (8 * index));
  return std::is_signed_v<T> ? static_cast<s8>(byte) : byte;
}
template <typename T>
inline s32 half_of(T word, u32 index) {
  const auto half = static_cast<u16>(static_cast<u32>(word) >> (16 * index));
  return std::is_signed_v<T> ? static_cast<s16>(half) : half;
}
template <typename A, typename B>
inline u32 dp4a(A a, B b, u32 c) {
  for (u32 i = 0; i < 4; ++i) c += static_cast<u32>(byte_of(a, i) * byte_of(b, i));
  return c;
}
// Absolute differences of four pairs of bytes: each in its own byte, or all added to `c`.
template <typename Result, typename A, typename B>
inline u32 vabsdiff4(A a, u32 b, u32 /*c*/) {
  u32 distances = 0;
  for (u32 i = 0; i < 4; ++i) {
    const s32 difference = byte_of(a, i) - byte_of(static_cast<B>(b), i);
    distances |= (static_cast<u32>(difference < 0 ? -difference : difference) & 0xff) << (8 * i);
  }
  return distances;
}
template <typename Result, typename A, typename B>
inline u32 vabsdiff4_add(A a, u32 b, u32 c) {
  for (u32 i = 0; i < 4; ++i) {
    const s32 difference = byte_of(a, i) - byte_of(static_cast<B>(b), i);
    c += static_cast<u32>(difference < 0 ? -difference : difference);
  }
  return c;
}
template <typename A, typename B>
inline u32 dp2a_lo(A a, B b, u32 c) {
  for (u32 i = 0; i < 2; ++i) c += static_cast<u32>(half_of(a, i) * byte_of(b, i));
  return c;
}
template <typename A, typename B>
inline u32 dp2a_hi(A a, B b, u32 c) {
  for (u32 i = 0; i < 2; ++i) c += static_cast<u32>(half_of(a, i) * byte_of(b, i + 2));
  return c;
}

template <typename T>
inline T selp(T a, T b, bool first) {
  return first ? a : b;
}
template <typename T, typename Sign, how::set modifiers>
inline T slct(T a, T b, Sign sign) {
  return sign >= 0 ? a : b;
}

}  // namespace heddle_host::ptx
