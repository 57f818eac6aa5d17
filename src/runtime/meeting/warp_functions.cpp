// CUDA's warp operations, in terms of meetings.
#include <device_functions.h>

#include <bit>
#include <cstdint>
#include <type_traits>

#include <heddle_host/barrier.hpp>

#include "machine/block_state.hpp"
#include "meeting/meet.hpp"

// Each operation passes on where it was called, so that a lane that waits can be found in the
// source.
#define HEDDLE_CALLER __builtin_return_address(0)

namespace heddle_host {
namespace {

// What a lane gets from a lane that is not there: NaN as a float and as a double, and no likely
// integer.
constexpr std::uint64_t poison = 0x7ff4'dead'7fb4'deadull;

template <typename T>
std::uint64_t to_bits(T value) {
  if constexpr (sizeof(T) == 8) {
    return std::bit_cast<std::uint64_t>(value);
  } else {
    return std::bit_cast<std::uint32_t>(value);
  }
}

template <typename T>
T from_bits(std::uint64_t bits) {
  if constexpr (sizeof(T) == 8) {
    return std::bit_cast<T>(bits);
  } else {
    return std::bit_cast<T>(static_cast<std::uint32_t>(bits));
  }
}

// The lane to read from, by the rules of PTX's shfl.sync: sections of `width` lanes; the own lane
// where the source would leave the section.
[[gnu::always_inline]] inline unsigned source_lane(warp_operation mode, unsigned lane,
                                                   unsigned operand, int width) {
  const unsigned section_bits = 32u - static_cast<unsigned>(width);
  const unsigned first = lane & section_bits;
  const unsigned last = first | (~section_bits & 31u);
  const unsigned distance = operand & 31u;
  switch (mode) {
    case warp_operation::shuffle_up:
      return distance <= lane - first ? lane - distance : lane;
    case warp_operation::shuffle_down:
      return lane + distance <= last ? lane + distance : lane;
    case warp_operation::shuffle_xor:
      return (lane ^ distance) <= last ? lane ^ distance : lane;
    default:
      return first | (distance & ~section_bits);
  }
}

template <typename T>
[[gnu::always_inline]] inline T shuffle(warp_operation mode, unsigned mask, T value,
                                        unsigned operand, int width, const void* where) {
  machine_section guard;
  const unsigned source = source_lane(mode, lane_now.thread % lanes_per_warp, operand, width);
  const warp_meeting::round& round = meet(mode, mask, to_bits(value), where);
  return from_bits<T>(round.present >> source & 1 ? round.values[source] : poison);
}

unsigned common(warp_operation operation, unsigned mask, std::uint64_t value, const void* where) {
  machine_section guard;
  return static_cast<unsigned>(meet(operation, mask, value, where).result);
}

template <typename T>
unsigned match_any(unsigned mask, T value, const void* where) {
  machine_section guard;
  const std::uint64_t mine = to_bits(value);
  const warp_meeting::round& round = meet(warp_operation::match_any, mask, mine, where);
  unsigned same = 0;
  for (std::uint32_t lanes = round.present; lanes; lanes &= lanes - 1) {
    const int lane = std::countr_zero(lanes);
    same |= static_cast<unsigned>(round.values[static_cast<unsigned>(lane)] == mine) << lane;
  }
  return same;
}

template <typename T>
unsigned match_all(unsigned mask, T value, int* all_are_equal, const void* where) {
  machine_section guard;
  const warp_meeting::round& round = meet(warp_operation::match_all, mask, to_bits(value), where);
  *all_are_equal = round.result != 0;
  return round.result != 0 ? round.present : 0;
}

// Signed integers are compared as unsigned ones after a shift of the origin.
constexpr unsigned origin = 0x8000'0000u;

}  // namespace
}  // namespace heddle_host

using heddle_host::warp_operation;

#define HEDDLE_DEFINE_SHUFFLES(T)                                                           \
  T __shfl_sync(unsigned mask, T value, int source, int width) {                            \
    return heddle_host::shuffle(warp_operation::shuffle_index, mask, value,                 \
                                static_cast<unsigned>(source), width, HEDDLE_CALLER);       \
  }                                                                                         \
  T __shfl_up_sync(unsigned mask, T value, unsigned distance, int width) {                  \
    return heddle_host::shuffle(warp_operation::shuffle_up, mask, value, distance, width,   \
                                HEDDLE_CALLER);                                             \
  }                                                                                         \
  T __shfl_down_sync(unsigned mask, T value, unsigned distance, int width) {                \
    return heddle_host::shuffle(warp_operation::shuffle_down, mask, value, distance, width, \
                                HEDDLE_CALLER);                                             \
  }                                                                                         \
  T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width) {                     \
    return heddle_host::shuffle(warp_operation::shuffle_xor, mask, value,                   \
                                static_cast<unsigned>(lane_mask), width, HEDDLE_CALLER);    \
  }
HEDDLE_DEFINE_SHUFFLES(int)
HEDDLE_DEFINE_SHUFFLES(unsigned)
HEDDLE_DEFINE_SHUFFLES(long)
HEDDLE_DEFINE_SHUFFLES(unsigned long)
HEDDLE_DEFINE_SHUFFLES(long long)
HEDDLE_DEFINE_SHUFFLES(unsigned long long)
HEDDLE_DEFINE_SHUFFLES(float)
HEDDLE_DEFINE_SHUFFLES(double)
#undef HEDDLE_DEFINE_SHUFFLES

#define HEDDLE_DEFINE_MATCH(T)                                                \
  unsigned __match_any_sync(unsigned mask, T value) {                         \
    return heddle_host::match_any(mask, value, HEDDLE_CALLER);                \
  }                                                                           \
  unsigned __match_all_sync(unsigned mask, T value, int* all_are_equal) {     \
    return heddle_host::match_all(mask, value, all_are_equal, HEDDLE_CALLER); \
  }
HEDDLE_DEFINE_MATCH(int)
HEDDLE_DEFINE_MATCH(unsigned)
HEDDLE_DEFINE_MATCH(long)
HEDDLE_DEFINE_MATCH(unsigned long)
HEDDLE_DEFINE_MATCH(long long)
HEDDLE_DEFINE_MATCH(unsigned long long)
HEDDLE_DEFINE_MATCH(float)
HEDDLE_DEFINE_MATCH(double)
#undef HEDDLE_DEFINE_MATCH

int __any_sync(unsigned mask, int predicate) {
  return static_cast<int>(
      heddle_host::common(warp_operation::vote_any, mask, predicate != 0, HEDDLE_CALLER));
}

int __all_sync(unsigned mask, int predicate) {
  return static_cast<int>(
      heddle_host::common(warp_operation::vote_all, mask, predicate != 0, HEDDLE_CALLER));
}

int __uni_sync(unsigned mask, int predicate) {
  return static_cast<int>(
      heddle_host::common(warp_operation::vote_uniform, mask, predicate != 0, HEDDLE_CALLER));
}

unsigned __ballot_sync(unsigned mask, int predicate) {
  return heddle_host::common(warp_operation::ballot, mask, predicate != 0, HEDDLE_CALLER);
}

int __reduce_add_sync(unsigned mask, int value) {
  return static_cast<int>(heddle_host::common(warp_operation::reduce_add, mask,
                                              static_cast<unsigned>(value), HEDDLE_CALLER));
}

int __reduce_min_sync(unsigned mask, int value) {
  const unsigned shifted = static_cast<unsigned>(value) ^ heddle_host::origin;
  return static_cast<int>(
      heddle_host::common(warp_operation::reduce_min, mask, shifted, HEDDLE_CALLER) ^
      heddle_host::origin);
}

int __reduce_max_sync(unsigned mask, int value) {
  const unsigned shifted = static_cast<unsigned>(value) ^ heddle_host::origin;
  return static_cast<int>(
      heddle_host::common(warp_operation::reduce_max, mask, shifted, HEDDLE_CALLER) ^
      heddle_host::origin);
}

#define HEDDLE_DEFINE_REDUCTION(name)                                                      \
  unsigned __reduce_##name##_sync(unsigned mask, unsigned value) {                         \
    return heddle_host::common(warp_operation::reduce_##name, mask, value, HEDDLE_CALLER); \
  }
HEDDLE_DEFINE_REDUCTION(add)
HEDDLE_DEFINE_REDUCTION(min)
HEDDLE_DEFINE_REDUCTION(max)
HEDDLE_DEFINE_REDUCTION(and)
HEDDLE_DEFINE_REDUCTION(or)
HEDDLE_DEFINE_REDUCTION(xor)
#undef HEDDLE_DEFINE_REDUCTION

unsigned __activemask() {
  heddle_host::machine_section guard;
  return heddle_host::lane_now.block->active_lanes(HEDDLE_CALLER);
}

void __syncwarp(unsigned mask) {
  heddle_host::machine_section guard;
  heddle_host::meet(warp_operation::sync, mask, 0, HEDDLE_CALLER);
}
