// The largest or smallest value of a tile, and its index.
//   strategy    whole warps: map values to integers of the same order and reduce these, then the
//               indices of the best; smaller tiles: a butterfly of value and index
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

// A value and its index, which is whatever the caller numbers its values by.
template <typename T, std::integral Index = int>
struct indexed {
  T value;
  Index index;
};

namespace detail {

enum class extreme { smallest, largest };

// Maps values to signed integers whose smallest is always the wanted extreme. Floating-point
// numbers change from sign and magnitude to two's complement, so -0 and +0 have the same key; a NaN
// has the last key.
template <extreme wanted, typename T>
struct sort_key {
  static_assert(is_number<T> && sizeof(T) <= 8, "a key is a number of at most eight bytes");
  static constexpr bool is_wide = sizeof(T) == 8;
  using word = std::conditional_t<is_wide, std::int64_t, std::int32_t>;
  using bits = std::make_unsigned_t<word>;
  using number = std::conditional_t<is_wide, double, float>;
  static constexpr word last = std::numeric_limits<word>::max();
  static constexpr bits top = static_cast<bits>(last) + 1;
  // The bits to flip: the sign bit for the largest floating-point number, all bits for the largest
  // integer, and in addition the top bit for unsigned integers.
  static constexpr bits changed =
      is_floating<T> ? (wanted == extreme::largest ? top : bits{0})
                     : (wanted == extreme::largest ? ~bits{0} : bits{0}) ^
                           (std::is_unsigned_v<T> && sizeof(T) >= 4 ? top : bits{0});

  // The bits, flipped so that the smallest is wanted.
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
  // The inverse of key_of(). `is_negative`, the sign of bits_of(), distinguishes the two zeros.
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

// The smallest word of any set of lanes, by shuffles: each lane takes the minimum of its own and
// that of the lane 1, 2, 4, … members further round. Counting some members twice does no harm.
template <typename Word>
__device__ inline Word smallest_by_shuffles(lane_mask members, Word word) {
  const lane_mask callers = __ballot_sync(members, true);  // members that have a thread
  const lane_mask later = callers & ~lanes_below(lane_id() + 1);
  int source = first_lane(later != 0 ? later : callers);
#pragma unroll
  for (int distance = 1; distance < warp_size; distance *= 2) {
    // A lane holds the smallest of the `distance` members from itself on; `source` is the next one.
    word = minimum{}(word, shuffle(members, word, source));
    if (distance < warp_size / 2) source = shuffle(members, source, source);
  }
  return word;
}

// The same in one instruction, if the hardware has it.
template <typename Word>
__device__ inline Word smallest_word(lane_mask members, Word word) {
  if constexpr (has_feature<feature::warp_reduction>) {
    return __reduce_min_sync(members, word);
  } else {
    return smallest_by_shuffles(members, word);
  }
}

// The smallest key among the lanes with `is_in` set, word by word from the top. Clears `is_in` in
// the lanes with larger keys.
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

// The extreme of any set of lanes, found through keys; of equal values, the one with the smallest
// index.
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

// True if `other` should replace `mine`. Handles NaN only if `knows_nan`.
template <extreme wanted, bool knows_nan, typename T, typename Index>
__device__ inline bool is_better(const indexed<T, Index>& other, const indexed<T, Index>& mine) {
  const bool is_earlier = other.index < mine.index;
  if constexpr (knows_nan) {
    const bool is_nan = mine.value != mine.value;
    const bool other_is_nan = other.value != other.value;
    if (is_nan || other_is_nan) return is_nan && (!other_is_nan || is_earlier);
  }
  // Each comparison takes the previous result as an input, so no instruction is needed to join
  // them.
  if constexpr (wanted == extreme::largest) {
    return (is_earlier || other.value > mine.value) && other.value >= mine.value;
  } else {
    return (is_earlier || other.value < mine.value) && other.value <= mine.value;
  }
}

// The extreme of each tile. Before each step every lane holds the extreme of its aligned block of
// `distance` lanes.
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

// Whole warps use keys, and `members` may be any lanes; smaller tiles compare the values directly.
template <extreme wanted, int width, typename T, typename Index>
__device__ inline indexed<T, Index> extreme_of_tile(lane_mask members, T value, Index index) {
  if constexpr (width == warp_size) {
    return extreme_of_lanes<wanted>(members, value, index);
  } else {
    // Half and bfloat16 are exchanged as float, which takes no more shuffles.
    const indexed<accumulator<T>, Index> mine{static_cast<accumulator<T>>(value), index};
    auto best = best_of_tile<wanted, false, width>(members, mine);
    // NaN-aware comparisons take twice as long, so they run only if there is a NaN.
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
//   order       of equal values, the one with the smallest index wins; -0 and +0 are equal, and the
//               result is the one at that index. A NaN loses against any number; if all values are
//               NaN, the result is a NaN with the smallest index

// The largest value of each tile and its index.
//   cost        32 lanes: one reduction instruction for every four bytes of value and of index, and
//               about ten others. Smaller tiles: log2(width) shuffles for every four bytes of both,
//               and one vote for floating-point numbers. Before Ampere, nine shuffles replace each
//               reduction instruction
template <int width = warp_size, typename T, std::integral Index>
requires is_number<T>
[[nodiscard]] __device__ indexed<T, Index> arg_max(T value, Index index,
                                                   lane_mask members = all_lanes) {
  HEDDLE_EXPECTS_TILE(width, members, "warp::arg_max");
  return detail::extreme_of_tile<detail::extreme::largest, width>(members, value, index);
}

// The smallest value of each tile and its index.
//   cost        that of arg_max()
template <int width = warp_size, typename T, std::integral Index>
requires is_number<T>
[[nodiscard]] __device__ indexed<T, Index> arg_min(T value, Index index,
                                                   lane_mask members = all_lanes) {
  HEDDLE_EXPECTS_TILE(width, members, "warp::arg_min");
  return detail::extreme_of_tile<detail::extreme::smallest, width>(members, value, index);
}

// The first lane of the tile that holds its largest, or smallest, value.
//   result in   every lane of the tile: a lane number in the warp
//   cost        32 lanes: one reduction instruction for every four bytes, one vote and about ten
//               others. Smaller tiles: log2(width) shuffles for every four bytes, and one vote
template <int width = warp_size, typename T>
requires is_number<T>
[[nodiscard]] __device__ int lane_of_max(T value, lane_mask members = all_lanes) {
  HEDDLE_EXPECTS_TILE(width, members, "warp::lane_of_max");
  return detail::lane_of_extreme<detail::extreme::largest, width>(members, value);
}
template <int width = warp_size, typename T>
requires is_number<T>
[[nodiscard]] __device__ int lane_of_min(T value, lane_mask members = all_lanes) {
  HEDDLE_EXPECTS_TILE(width, members, "warp::lane_of_min");
  return detail::lane_of_extreme<detail::extreme::smallest, width>(members, value);
}

// The best value of each tile by the caller's own order, and its index.
//   result in   every lane of the tile; the same in all if no two lanes have the same index
//   is_better   a strict weak order: is_better(a, b) is true if a wins against b; if neither is
//               better, the smaller index wins
//   cost        log2(width) shuffles for every four bytes of value and of index
template <int width = warp_size, exchangeable T, std::integral Index, typename Better>
requires std::predicate<const Better&, const T&, const T&>
[[nodiscard]] __device__ indexed<T, Index> arg_best(T value, Index index, Better is_better,
                                                    lane_mask members = all_lanes) {
  HEDDLE_EXPECTS_TILE(width, members, "warp::arg_best");
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
