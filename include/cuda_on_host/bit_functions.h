// CUDA's integer intrinsics: counting, reversing and picking bits, wide products, dot products.
#pragma once
#include <cstdint>

#include <dpx_functions.h>
#include <simd_functions.h>
#include <vector_types.h>

#include "detail/exact_rounding.h"

inline int __popc(unsigned int x) noexcept { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) noexcept { return __builtin_popcountll(x); }
inline int __clz(int x) noexcept {
  return x == 0 ? 32 : __builtin_clz(static_cast<unsigned int>(x));
}
inline int __clzll(long long x) noexcept {
  return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}
inline int __ffs(int x) noexcept { return __builtin_ffs(x); }
inline int __ffsll(long long x) noexcept { return __builtin_ffsll(x); }

inline unsigned int __brev(unsigned int x) noexcept {
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(x);
}
inline unsigned long long __brevll(unsigned long long x) noexcept {
  const auto high = __brev(static_cast<unsigned int>(x));
  return static_cast<unsigned long long>(high) << 32 | __brev(static_cast<unsigned int>(x >> 32));
}

// The bytes in reverse order.
inline unsigned short __nv_bswap16(unsigned short x) noexcept { return __builtin_bswap16(x); }
inline unsigned int __nv_bswap32(unsigned int x) noexcept { return __builtin_bswap32(x); }
inline unsigned long long __nv_bswap64(unsigned long long x) noexcept {
  return __builtin_bswap64(x);
}

// Position of the offset-th set bit of mask counted from base (backwards for a negative offset), or
// all ones if there is none.
inline unsigned int __fns(unsigned int mask, unsigned int base, int offset) noexcept {
  if (offset == 0) return base < 32 && mask >> base & 1 ? base : 0xffffffffu;
  int to_find = offset < 0 ? -offset : offset;
  const int step = offset < 0 ? -1 : 1;
  for (int position = static_cast<int>(base); position >= 0 && position < 32; position += step) {
    if (mask >> position & 1 && --to_find == 0) return static_cast<unsigned int>(position);
  }
  return 0xffffffffu;
}

// Each nibble of the selector picks one of the eight bytes y:x. If the nibble's top bit is set, the
// sign bit of that byte is replicated instead.
inline unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector) noexcept {
  const std::uint64_t bytes = static_cast<std::uint64_t>(y) << 32 | x;
  unsigned int result = 0;
  for (int byte = 0; byte < 4; ++byte) {
    const unsigned int choice = selector >> (4 * byte) & 0xf;
    unsigned int picked = static_cast<unsigned int>(bytes >> (8 * (choice & 7))) & 0xff;
    if (choice & 8) picked = picked & 0x80 ? 0xff : 0;
    result |= picked << (8 * byte);
  }
  return result;
}

// Shifts the 64 bits high:low. The distance is taken modulo 32, or clamped to 32 in the forms with
// c.
inline unsigned int __funnelshift_l(unsigned int low, unsigned int high,
                                    unsigned int distance) noexcept {
  const std::uint64_t both = static_cast<std::uint64_t>(high) << 32 | low;
  return static_cast<unsigned int>(both << (distance & 31) >> 32);
}
inline unsigned int __funnelshift_lc(unsigned int low, unsigned int high,
                                     unsigned int distance) noexcept {
  return distance >= 32 ? low : __funnelshift_l(low, high, distance);
}
inline unsigned int __funnelshift_r(unsigned int low, unsigned int high,
                                    unsigned int distance) noexcept {
  const std::uint64_t both = static_cast<std::uint64_t>(high) << 32 | low;
  return static_cast<unsigned int>(both >> (distance & 31));
}
inline unsigned int __funnelshift_rc(unsigned int low, unsigned int high,
                                     unsigned int distance) noexcept {
  return distance >= 32 ? high : __funnelshift_r(low, high, distance);
}

// Low 32 bits of the product of the low 24 bits.
inline unsigned int __umul24(unsigned int x, unsigned int y) noexcept {
  return (x & 0xffffffu) * (y & 0xffffffu);
}
inline int __mul24(int x, int y) noexcept {
  const std::int64_t left = static_cast<std::int32_t>(static_cast<unsigned int>(x) << 8) >> 8;
  const std::int64_t right = static_cast<std::int32_t>(static_cast<unsigned int>(y) << 8) >> 8;
  return static_cast<int>(static_cast<unsigned int>(left * right));
}

// Upper half of the product.
inline int __mulhi(int x, int y) noexcept {
  return static_cast<int>((static_cast<std::int64_t>(x) * y) >> 32);
}
inline unsigned int __umulhi(unsigned int x, unsigned int y) noexcept {
  return static_cast<unsigned int>((static_cast<std::uint64_t>(x) * y) >> 32);
}
inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y) noexcept {
  return static_cast<unsigned long long>((::cuda_on_host::wide_word(x) * y) >> 64);
}
inline long long __mul64hi(long long x, long long y) noexcept {
  const auto left = static_cast<unsigned long long>(x), right = static_cast<unsigned long long>(y);
  unsigned long long high = __umul64hi(left, right);
  if (x < 0) high -= right;
  if (y < 0) high -= left;
  return static_cast<long long>(high);
}
inline int mulhi(int x, int y) noexcept { return __mulhi(x, y); }
inline unsigned int mulhi(unsigned int x, unsigned int y) noexcept { return __umulhi(x, y); }
inline unsigned int mulhi(int x, unsigned int y) noexcept {
  return __umulhi(static_cast<unsigned int>(x), y);
}
inline unsigned int mulhi(unsigned int x, int y) noexcept {
  return __umulhi(x, static_cast<unsigned int>(y));
}
inline long long mul64hi(long long x, long long y) noexcept { return __mul64hi(x, y); }
inline unsigned long long mul64hi(unsigned long long x, unsigned long long y) noexcept {
  return __umul64hi(x, y);
}
inline int mul24(int x, int y) noexcept { return __mul24(x, y); }
inline unsigned int umul24(unsigned int x, unsigned int y) noexcept { return __umul24(x, y); }

// Averages without overflow, rounded down, or up in the forms with r.
inline int __hadd(int x, int y) noexcept {
  return static_cast<int>((static_cast<std::int64_t>(x) + y) >> 1);
}
inline int __rhadd(int x, int y) noexcept {
  return static_cast<int>((static_cast<std::int64_t>(x) + y + 1) >> 1);
}
inline unsigned int __uhadd(unsigned int x, unsigned int y) noexcept {
  return static_cast<unsigned int>((static_cast<std::uint64_t>(x) + y) >> 1);
}
inline unsigned int __urhadd(unsigned int x, unsigned int y) noexcept {
  return static_cast<unsigned int>((static_cast<std::uint64_t>(x) + y + 1) >> 1);
}

// |x - y| + z.
inline unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) noexcept {
  return (x > y ? x - y : y - x) + z;
}
inline unsigned int __sad(int x, int y, unsigned int z) noexcept {
  const auto left = static_cast<unsigned int>(x), right = static_cast<unsigned int>(y);
  return (x > y ? left - right : right - left) + z;
}

// Dot product of four bytes, added to c.
inline int __dp4a(int a, int b, int c) noexcept {
  auto sum = static_cast<unsigned int>(c);
  for (int byte = 0; byte < 32; byte += 8) {
    const int left = static_cast<std::int8_t>(a >> byte),
              right = static_cast<std::int8_t>(b >> byte);
    sum += static_cast<unsigned int>(left * right);
  }
  return static_cast<int>(sum);
}
inline unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c) noexcept {
  for (int byte = 0; byte < 32; byte += 8) c += (a >> byte & 0xff) * (b >> byte & 0xff);
  return c;
}
inline int __dp4a(char4 a, char4 b, int c) noexcept {
  return __dp4a(::cuda_on_host::same_bits<int>(a), ::cuda_on_host::same_bits<int>(b), c);
}
inline unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c) noexcept {
  using word = unsigned int;
  return __dp4a(::cuda_on_host::same_bits<word>(a), ::cuda_on_host::same_bits<word>(b), c);
}

// Dot product of a's two 16-bit halves with the lower, or upper, two bytes of b, added to c.
inline int __dp2a_lo(int a, int b, int c) noexcept {
  auto sum = static_cast<unsigned int>(c);
  for (int half = 0; half < 2; ++half) {
    const int left = static_cast<std::int16_t>(a >> (16 * half));
    const int right = static_cast<std::int8_t>(b >> (8 * half));
    sum += static_cast<unsigned int>(left * right);
  }
  return static_cast<int>(sum);
}
inline int __dp2a_hi(int a, int b, int c) noexcept { return __dp2a_lo(a, b >> 16, c); }
inline unsigned int __dp2a_lo(unsigned int a, unsigned int b, unsigned int c) noexcept {
  return c + (a & 0xffff) * (b & 0xff) + (a >> 16) * (b >> 8 & 0xff);
}
inline unsigned int __dp2a_hi(unsigned int a, unsigned int b, unsigned int c) noexcept {
  return __dp2a_lo(a, b >> 16, c);
}
inline int __dp2a_lo(short2 a, char4 b, int c) noexcept {
  return __dp2a_lo(::cuda_on_host::same_bits<int>(a), ::cuda_on_host::same_bits<int>(b), c);
}
inline int __dp2a_hi(short2 a, char4 b, int c) noexcept {
  return __dp2a_hi(::cuda_on_host::same_bits<int>(a), ::cuda_on_host::same_bits<int>(b), c);
}
inline unsigned int __dp2a_lo(ushort2 a, uchar4 b, unsigned int c) noexcept {
  using word = unsigned int;
  return __dp2a_lo(::cuda_on_host::same_bits<word>(a), ::cuda_on_host::same_bits<word>(b), c);
}
inline unsigned int __dp2a_hi(ushort2 a, uchar4 b, unsigned int c) noexcept {
  using word = unsigned int;
  return __dp2a_hi(::cuda_on_host::same_bits<word>(a), ::cuda_on_host::same_bits<word>(b), c);
}
