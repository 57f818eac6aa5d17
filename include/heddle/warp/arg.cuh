// The largest or smallest value of a tile, and where it stands.
//   strategy    values as integers of the same order: the best one, then the smallest index that
//               has it; in tiles a butterfly of both
//   needs       sm_75; reductions in one instruction sm_80
#pragma once
#include <heddle/core/features.cuh>
#include <heddle/core/lane.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/core/operators.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/warp/reduce.cuh>
#include <heddle/warp/scan.cuh>

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace heddle::warp {

// A value and its place: whatever the caller numbers its values by.
template <typename T, std::integral Index = int>
struct indexed {
  T value;
  Index index;
};

namespace detail {

enum class extreme { smallest, largest };

// Signed integers that are ordered as the values are, the wanted extreme first: the smallest key is
// always the one that is looked for. Floating-point numbers with their sign and magnitude become
// integers, so that -0 and +0 have the same key; a NaN has the last key.
template <extreme wanted, typename T>
struct sort_key {
  static_assert(is_number<T> && sizeof(T) <= 8, "a key is a number of at most eight bytes");
  static constexpr bool is_wide = sizeof(T) == 8;
  using word = std::conditional_t<is_wide, std::int64_t, std::int32_t>;
  using bits = std::make_unsigned_t<word>;
  using number = std::conditional_t<is_wide, double, float>;
  static constexpr word last = std::numeric_limits<word>::max();
  static constexpr bits top = static_cast<bits>(last) + 1;
  // What the bits of a value are changed by: the sign for the largest floating-point number, all
  // for the largest integer, and the top bit for integers without sign.
  static constexpr bits changed =
      is_floating<T> ? (wanted == extreme::largest ? top : bits{0})
                     : (wanted == extreme::largest ? ~bits{0} : bits{0}) ^
                           (std::is_unsigned_v<T> && sizeof(T) >= 4 ? top : bits{0});

  // The bits, changed so that the smallest is wanted.
  __device__ static bits bits_of(T value) {
    if constexpr (is_floating<T>) {
      return words_of_number(static_cast<number>(value)) ^ changed;
    } else {
      return static_cast<bits>(static_cast<word>(value)) ^ changed;
    }
  }
  __device__ static word key_of(T value) {
    const auto changed_bits = static_cast<word>(bits_of(value));
    if constexpr (is_floating<T>) {
      const auto mirrored = static_cast<word>(top - static_cast<bits>(changed_bits));
      const word key = changed_bits < 0 ? mirrored : changed_bits;
      const auto compared = static_cast<number>(value);
      return compared != compared ? last : key;
    } else {
      return changed_bits;
    }
  }
  // The inverse; `is_negative` tells the zeros apart, before the change.
  __device__ static T value_of(word key, bool is_negative) {
    auto found = static_cast<bits>(key);
    if constexpr (is_floating<T>) {
      if (key < 0) found = top - found;
      if (is_negative) found |= top;
      return static_cast<T>(number_of_words(found ^ changed));
    } else {
      return static_cast<T>(found ^ changed);
    }
  }
  __device__ static bool is_negative(T value) { return static_cast<word>(bits_of(value)) < 0; }

 private:
  __device__ static bits words_of_number(number value) {
    if constexpr (is_wide) {
      return static_cast<bits>(__double_as_longlong(value));
    } else {
      return __float_as_uint(value);
    }
  }
  __device__ static number number_of_words(bits found) {
    if constexpr (is_wide) {
      return __longlong_as_double(static_cast<long long>(found));
    } else {
      return __uint_as_float(found);
    }
  }
};

// The smallest of the words of any lanes that call together, by shuffles: each lane takes the
// smaller of its own and that of the lane 1, 2, 4 … members further round. That it meets some twice
// does no harm.
template <typename Word>
__device__ inline Word smallest_by_shuffles(lane_mask members, Word word) {
  const lane_mask callers = __ballot_sync(members, true);  // those that have a thread
  const lane_mask later = callers & ~lanes_below(lane_id() + 1);
  int source = first_lane(later != 0 ? later : callers);
#pragma unroll
  for (int distance = 1; distance < warp_size; distance *= 2) {
    // A lane holds the smallest of `distance` members from it on; `source` comes after those.
    word = minimum{}(word, shuffle(members, word, source));
    if (distance < warp_size / 2) source = shuffle(members, source, source);
  }
  return word;
}

// The same by one instruction where there is one.
template <typename Word>
__device__ inline Word smallest_word(lane_mask members, Word word) {
  if constexpr (has_feature<feature::warp_reduction>) {
    return __reduce_min_sync(members, word);
  } else {
    return smallest_by_shuffles(members, word);
  }
}

// The smallest key among the lanes of the warp that are still in question, word by word from the
// top; the others are out of question then.
__device__ inline std::int32_t smallest_of_warp(lane_mask members, std::int32_t key, bool& is_in) {
  const std::int32_t best = smallest_word(members, is_in ? key : INT32_MAX);
  is_in = is_in && key == best;
  return best;
}
__device__ inline std::int64_t smallest_of_warp(lane_mask members, std::int64_t key, bool& is_in) {
  const auto upper = static_cast<std::uint32_t>(
      smallest_of_warp(members, static_cast<std::int32_t>(key >> 32), is_in));
  const auto lower = static_cast<std::uint32_t>(key);
  const std::uint32_t best = smallest_word(members, is_in ? lower : ~0u);
  is_in = is_in && lower == best;
  return static_cast<std::int64_t>(std::uint64_t{upper} << 32 | best);
}

// The extreme of any lanes of a warp that call together, and of equal ones that with the smallest
// index, through keys.
template <extreme wanted, typename T, typename Index>
__device__ inline indexed<T, Index> extreme_of_lanes(lane_mask members, T value, Index index) {
  using value_key = sort_key<wanted, T>;
  using index_key = sort_key<extreme::smallest, Index>;
  const auto key = value_key::key_of(value);
  const auto place = index_key::key_of(index);
  bool is_best = true;
  const auto best = smallest_of_warp(members, key, is_best);
  const auto best_place = smallest_of_warp(members, place, is_best);
  bool is_negative = false;
  if constexpr (is_floating<T>) {
    is_negative = __any_sync(members, is_best && value_key::is_negative(value)) != 0;
  }
  return {value_key::value_of(best, is_negative), index_key::value_of(best_place, false)};
}

// True if `other` is to be taken rather than `mine`. NaN may be among them if `knows_nan`.
template <extreme wanted, bool knows_nan, typename T, typename Index>
__device__ inline bool is_better(const indexed<T, Index>& other, const indexed<T, Index>& mine) {
  const bool is_earlier = other.index < mine.index;
  if constexpr (knows_nan) {
    const bool is_nan = mine.value != mine.value;
    const bool other_is_nan = other.value != other.value;
    if (is_nan || other_is_nan) return is_nan && (!other_is_nan || is_earlier);
  }
  // Each comparison takes the last one's result in: no instruction joins them.
  if constexpr (wanted == extreme::largest) {
    return (is_earlier || other.value > mine.value) && other.value >= mine.value;
  } else {
    return (is_earlier || other.value < mine.value) && other.value <= mine.value;
  }
}

// The extreme of each tile. Before each step every lane holds that of its aligned `distance` lanes.
template <extreme wanted, bool knows_nan, int width, typename T, typename Index>
__device__ inline indexed<T, Index> best_of_tile(lane_mask members, indexed<T, Index> mine) {
#pragma unroll
  for (int distance = 1; distance < width; distance *= 2) {
    const indexed<T, Index> other{shuffle_xor(members, mine.value, distance),
                                  shuffle_xor(members, mine.index, distance)};
    const bool takes_other = is_better<wanted, knows_nan>(other, mine);
    mine.value = takes_other ? other.value : mine.value;
    mine.index = takes_other ? other.index : mine.index;
  }
  return mine;
}

// Whole warps, in which `members` may be any lanes, through keys; smaller tiles as they are.
template <extreme wanted, int width, typename T, typename Index>
__device__ inline indexed<T, Index> extreme_of_tile(lane_mask members, T value, Index index) {
  if constexpr (width == warp_size) {
    return extreme_of_lanes<wanted>(members, value, index);
  } else {
    // Half and bfloat16 travel as float, which takes no more shuffles.
    const indexed<accumulator<T>, Index> mine{static_cast<accumulator<T>>(value), index};
    auto best = best_of_tile<wanted, false, width>(members, mine);
    // Comparisons that know NaN take twice as long: they are made again where there was one.
    if (is_floating<T> && __any_sync(members, mine.value != mine.value) != 0) {
      best = best_of_tile<wanted, true, width>(members, mine);
    }
    return {static_cast<T>(best.value), best.index};
  }
}

// The first of the tile's lanes that hold the wanted extreme.
template <extreme wanted, int width, typename T>
__device__ inline int lane_of_extreme(lane_mask members, T value) {
  const auto key = sort_key<wanted, T>::key_of(value);
  bool is_best = true;
  if constexpr (width == warp_size) {
    static_cast<void>(smallest_of_warp(members, key, is_best));
    return first_lane(__ballot_sync(members, is_best));
  } else {
    is_best = key == reduce<width>(key, minimum{}, members);
    return first_lane(__ballot_sync(members, is_best) & tile_of<width>(lane_id()));
  }
}

}  // namespace detail

// The contract of all functions here:
//   called by   every lane of `members`, which holds whole tiles of `width` lanes
//   result in   every lane of the tile, the same
//   order       of equal values that with the smallest index is taken; -0 and +0 are equal, and the
//               value is the one that stands at the index. A NaN loses against any number; if all
//               are NaN, the result is a NaN with the smallest index

// The largest value of each tile and its index.
//   cost        32 lanes: one reduction instruction for every four bytes of value and of index, and
//               about ten others. Smaller tiles: log2(width) shuffles for every four bytes of both,
//               and one vote for floating-point numbers. Before Ampere nine shuffles stand for a
//               reduction instruction
template <int width = warp_size, typename T, std::integral Index>
requires is_number<T>
[[nodiscard]] __device__ indexed<T, Index> arg_max(T value, Index index,
                                                   lane_mask members = all_lanes) {
  HEDDLE_EXPECTS(detail::holds_own_tile<width>(members),
                 "warp::arg_max needs every lane of the caller's tile among its members");
  return detail::extreme_of_tile<detail::extreme::largest, width>(members, value, index);
}

// The smallest value of each tile and its index.
//   cost        that of arg_max()
template <int width = warp_size, typename T, std::integral Index>
requires is_number<T>
[[nodiscard]] __device__ indexed<T, Index> arg_min(T value, Index index,
                                                   lane_mask members = all_lanes) {
  HEDDLE_EXPECTS(detail::holds_own_tile<width>(members),
                 "warp::arg_min needs every lane of the caller's tile among its members");
  return detail::extreme_of_tile<detail::extreme::smallest, width>(members, value, index);
}

// The lane that holds the largest, or smallest, value of its tile: the first one of several.
//   result in   every lane of the tile: the number of a lane in the warp
//   cost        32 lanes: one reduction instruction for every four bytes, one vote and about ten
//               others. Smaller tiles: log2(width) shuffles for every four bytes, and one vote
template <int width = warp_size, typename T>
requires is_number<T>
[[nodiscard]] __device__ int lane_of_max(T value, lane_mask members = all_lanes) {
  HEDDLE_EXPECTS(detail::holds_own_tile<width>(members),
                 "warp::lane_of_max needs every lane of the caller's tile among its members");
  return detail::lane_of_extreme<detail::extreme::largest, width>(members, value);
}
template <int width = warp_size, typename T>
requires is_number<T>
[[nodiscard]] __device__ int lane_of_min(T value, lane_mask members = all_lanes) {
  HEDDLE_EXPECTS(detail::holds_own_tile<width>(members),
                 "warp::lane_of_min needs every lane of the caller's tile among its members");
  return detail::lane_of_extreme<detail::extreme::smallest, width>(members, value);
}

// The best value of each tile by an order of the caller's, and its index.
//   result in   every lane of the tile; the same, if no two lanes bring the same index
//   is_better   a strict weak order: is_better(a, b) if a is to be taken rather than b; where
//               neither is better, the smaller index decides
//   cost        log2(width) shuffles for every four bytes of value and of index
template <int width = warp_size, exchangeable T, std::integral Index, typename Better>
requires std::predicate<const Better&, const T&, const T&>
[[nodiscard]] __device__ indexed<T, Index> arg_best(T value, Index index, Better is_better,
                                                    lane_mask members = all_lanes) {
  HEDDLE_EXPECTS(detail::holds_own_tile<width>(members),
                 "warp::arg_best needs every lane of the caller's tile among its members");
#pragma unroll
  for (int distance = 1; distance < width; distance *= 2) {
    const T other = shuffle_xor(members, value, distance);
    const Index other_index = shuffle_xor(members, index, distance);
    const bool is_worse = is_better(other, value);
    const bool is_equal = !is_worse && !is_better(value, other);
    if (is_worse || (is_equal && other_index < index)) {
      value = other;
      index = other_index;
    }
  }
  return {value, index};
}

}  // namespace heddle::warp
