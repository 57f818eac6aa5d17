// Shuffles of any trivially copyable value of up to 32 bytes, in pieces of 4 and 8 bytes.
#pragma once
#include <cstring>
#include <type_traits>

#include <device_functions.h>

namespace cooperative_groups {
namespace detail {

template <typename T>
using plain = std::remove_cv_t<std::remove_reference_t<T>>;

// Exchanges a value piece by piece; `exchange` takes a piece and returns one.
template <typename T, typename Exchange>
inline T by_pieces(const T& value, Exchange exchange) {
  static_assert(std::is_trivially_copyable_v<T>, "a group shuffles trivially copyable types only");
  static_assert(sizeof(T) <= 32, "a group shuffles types of at most 32 bytes");
  constexpr std::size_t long_pieces = sizeof(T) / 8, rest = sizeof(T) % 8;
  constexpr std::size_t short_pieces = (rest + 3) / 4;
  unsigned long long of_8[long_pieces + 1];
  unsigned of_4[short_pieces + 1] = {};
  const char* from = reinterpret_cast<const char*>(&value);
  std::memcpy(of_8, from, long_pieces * 8);
  std::memcpy(of_4, from + long_pieces * 8, rest);
  for (std::size_t i = 0; i < long_pieces; ++i) of_8[i] = exchange(of_8[i]);
  for (std::size_t i = 0; i < short_pieces; ++i) of_4[i] = exchange(of_4[i]);
  T result = value;
  char* to = reinterpret_cast<char*>(&result);
  std::memcpy(to, of_8, long_pieces * 8);
  std::memcpy(to + long_pieces * 8, of_4, rest);
  return result;
}

template <typename T>
inline T shuffle(unsigned members, const T& value, int source, int width) {
  return by_pieces(value, [=](auto piece) { return __shfl_sync(members, piece, source, width); });
}
template <typename T>
inline T shuffle_up(unsigned members, const T& value, unsigned distance, int width) {
  return by_pieces(value,
                   [=](auto piece) { return __shfl_up_sync(members, piece, distance, width); });
}
template <typename T>
inline T shuffle_down(unsigned members, const T& value, unsigned distance, int width) {
  return by_pieces(value,
                   [=](auto piece) { return __shfl_down_sync(members, piece, distance, width); });
}
template <typename T>
inline T shuffle_xor(unsigned members, const T& value, int lane_mask, int width) {
  return by_pieces(value,
                   [=](auto piece) { return __shfl_xor_sync(members, piece, lane_mask, width); });
}

}  // namespace detail
}  // namespace cooperative_groups
