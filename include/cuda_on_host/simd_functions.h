// CUDA's arithmetic on two 16-bit or four 8-bit numbers within a 32-bit word: __vadd4 and similar
// functions.
#pragma once
#include <cstdint>
#include <limits>
#include <type_traits>

namespace cuda_on_host {

// The lane with this index, as an int.
template <typename Lane>
inline int lane_of(unsigned int word, int index) {
  return static_cast<Lane>(word >> (index * static_cast<int>(sizeof(Lane)) * 8));
}

// The word whose lanes are operation(lane of a, lane of b), truncated to the lane's bits.
template <typename Lane, typename Operation>
inline unsigned int for_each_lane(unsigned int a, unsigned int b, Operation operation) {
  constexpr int bits = sizeof(Lane) * 8;
  unsigned int word = 0;
  for (int index = 0; index < 32 / bits; ++index) {
    const int value = operation(lane_of<Lane>(a, index), lane_of<Lane>(b, index));
    word |= (static_cast<unsigned int>(value) & ((1u << bits) - 1)) << (index * bits);
  }
  return word;
}

template <typename Lane>
inline int clamp_to_lane(int value) {
  using limits = std::numeric_limits<Lane>;
  return value < limits::min() ? limits::min() : value > limits::max() ? limits::max() : value;
}

inline int distance_of(int x, int y) { return x < y ? y - x : x - y; }

template <typename Lane>
inline unsigned int sum_of_distances(unsigned int a, unsigned int b) {
  unsigned int sum = 0;
  for (int index = 0; index < 4 / static_cast<int>(sizeof(Lane)); ++index) {
    sum += static_cast<unsigned int>(distance_of(lane_of<Lane>(a, index), lane_of<Lane>(b, index)));
  }
  return sum;
}

// The average; halves round away from zero for signed numbers and up for unsigned ones.
inline int rounded_average(int x, int y) {
  const int sum = x + y;
  return (sum + (sum >= 0 ? 1 : 0)) >> 1;
}

}  // namespace cuda_on_host

#define HEDDLE_BY_LANE(name, lane, expression)                                                  \
  inline unsigned int name(unsigned int a, unsigned int b) noexcept {                           \
    return ::cuda_on_host::for_each_lane<lane>(a, b,                                            \
                                               [](int x, int y) -> int { return expression; }); \
  }
#define HEDDLE_BY_LANE_OF_ONE(name, lane, expression)                                         \
  inline unsigned int name(unsigned int a) noexcept {                                         \
    return ::cuda_on_host::for_each_lane<lane>(a, a,                                          \
                                               [](int x, int) -> int { return expression; }); \
  }
// A true comparison gives all ones (cmp) or one (set).
#define HEDDLE_COMPARISON_BY_LANE(name, count, lane, sign)     \
  HEDDLE_BY_LANE(__vcmp##name##count, lane, x sign y ? -1 : 0) \
  HEDDLE_BY_LANE(__vset##name##count, lane, x sign y ? 1 : 0)

#define HEDDLE_WORD_OF_LANES(count, signed_lane, unsigned_lane)                                   \
  HEDDLE_BY_LANE_OF_ONE(__vabs##count, signed_lane, x < 0 ? -x : x)                               \
  HEDDLE_BY_LANE_OF_ONE(__vabsss##count, signed_lane,                                             \
                        ::cuda_on_host::clamp_to_lane<signed_lane>(x < 0 ? -x : x))               \
  HEDDLE_BY_LANE_OF_ONE(__vneg##count, signed_lane, -x)                                           \
  HEDDLE_BY_LANE_OF_ONE(__vnegss##count, signed_lane,                                             \
                        ::cuda_on_host::clamp_to_lane<signed_lane>(-x))                           \
  HEDDLE_BY_LANE(__vabsdiffs##count, signed_lane, ::cuda_on_host::distance_of(x, y))              \
  HEDDLE_BY_LANE(__vabsdiffu##count, unsigned_lane, ::cuda_on_host::distance_of(x, y))            \
  HEDDLE_BY_LANE(__vadd##count, signed_lane, x + y)                                               \
  HEDDLE_BY_LANE(__vaddss##count, signed_lane, ::cuda_on_host::clamp_to_lane<signed_lane>(x + y)) \
  HEDDLE_BY_LANE(__vaddus##count, unsigned_lane,                                                  \
                 ::cuda_on_host::clamp_to_lane<unsigned_lane>(x + y))                             \
  HEDDLE_BY_LANE(__vsub##count, signed_lane, x - y)                                               \
  HEDDLE_BY_LANE(__vsubss##count, signed_lane, ::cuda_on_host::clamp_to_lane<signed_lane>(x - y)) \
  HEDDLE_BY_LANE(__vsubus##count, unsigned_lane,                                                  \
                 ::cuda_on_host::clamp_to_lane<unsigned_lane>(x - y))                             \
  HEDDLE_BY_LANE(__vavgs##count, signed_lane, ::cuda_on_host::rounded_average(x, y))              \
  HEDDLE_BY_LANE(__vavgu##count, unsigned_lane, ::cuda_on_host::rounded_average(x, y))            \
  HEDDLE_BY_LANE(__vhaddu##count, unsigned_lane, (x + y) >> 1)                                    \
  HEDDLE_BY_LANE(__vmaxs##count, signed_lane, x < y ? y : x)                                      \
  HEDDLE_BY_LANE(__vmaxu##count, unsigned_lane, x < y ? y : x)                                    \
  HEDDLE_BY_LANE(__vmins##count, signed_lane, y < x ? y : x)                                      \
  HEDDLE_BY_LANE(__vminu##count, unsigned_lane, y < x ? y : x)                                    \
  HEDDLE_COMPARISON_BY_LANE(eq, count, unsigned_lane, ==)                                         \
  HEDDLE_COMPARISON_BY_LANE(ne, count, unsigned_lane, !=)                                         \
  HEDDLE_COMPARISON_BY_LANE(ges, count, signed_lane, >=)                                          \
  HEDDLE_COMPARISON_BY_LANE(geu, count, unsigned_lane, >=)                                        \
  HEDDLE_COMPARISON_BY_LANE(gts, count, signed_lane, >)                                           \
  HEDDLE_COMPARISON_BY_LANE(gtu, count, unsigned_lane, >)                                         \
  HEDDLE_COMPARISON_BY_LANE(les, count, signed_lane, <=)                                          \
  HEDDLE_COMPARISON_BY_LANE(leu, count, unsigned_lane, <=)                                        \
  HEDDLE_COMPARISON_BY_LANE(lts, count, signed_lane, <)                                           \
  HEDDLE_COMPARISON_BY_LANE(ltu, count, unsigned_lane, <)                                         \
  inline unsigned int __vsads##count(unsigned int a, unsigned int b) noexcept {                   \
    return ::cuda_on_host::sum_of_distances<signed_lane>(a, b);                                   \
  }                                                                                               \
  inline unsigned int __vsadu##count(unsigned int a, unsigned int b) noexcept {                   \
    return ::cuda_on_host::sum_of_distances<unsigned_lane>(a, b);                                 \
  }
HEDDLE_WORD_OF_LANES(2, std::int16_t, std::uint16_t)
HEDDLE_WORD_OF_LANES(4, std::int8_t, std::uint8_t)
#undef HEDDLE_WORD_OF_LANES
#undef HEDDLE_COMPARISON_BY_LANE
#undef HEDDLE_BY_LANE_OF_ONE
#undef HEDDLE_BY_LANE
