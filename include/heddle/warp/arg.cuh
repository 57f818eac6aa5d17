// The largest or smallest value of a tile, and where it stands.
#pragma once
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

// The smallest key among the lanes of the warp that are still in question, word by word from the
// top, each by one instruction; the others are out of question then.
__device__ inline std::int32_t smallest_of_warp(lane_mask members, std::int32_t key, bool& is_in) {
  const std::int32_t best = __reduce_min_sync(members, is_in ? key : INT32_MAX);
  is_in = is_in && key == best;
  return best;
}
__device__ inline std::int64_t smallest_of_warp(lane_mask members, std::int64_t key, bool& is_in) {
  const auto upper = static_cast<std::uint32_t>(
      smallest_of_warp(members, static_cast<std::int32_t>(key >> 32), is_in));
  const auto lower = static_cast<std::uint32_t>(key);
  const std::uint32_t best = __reduce_min_sync(members, is_in ? lower : ~0u);
  is_in = is_in && lower == best;
  return static_cast<std::int64_t>(std::uint64_t{upper} << 32 | best);
}

// The smallest key of a tile, and of equal ones that with the smallest index; both as keys.
template <typename Key, typename Place>
struct candidate {
  Key key;
  Place place;
};
template <int width, typename Key, typename Place>
__device__ inline candidate<Key, Place> smallest_of_tile(lane_mask members,
                                                         candidate<Key, Place> mine) {
  if constexpr (width == warp_size) {
    bool is_in = true;
    const Key key = smallest_of_warp(members, mine.key, is_in);
    return {key, smallest_of_warp(members, mine.place, is_in)};
  } else {
    // Before each step every lane holds the best of its aligned `distance` lanes.
#pragma unroll
    for (int distance = 1; distance < width; distance *= 2) {
      const Key key = shuffle_xor(members, mine.key, distance);
      const Place place = shuffle_xor(members, mine.place, distance);
      if (key < mine.key || (key == mine.key && place < mine.place)) mine = {key, place};
    }
    return mine;
  }
}

template <int width>
__device__ inline bool any_of_tile(lane_mask members, bool condition) {
  if constexpr (width == warp_size) {
    return __any_sync(members, condition) != 0;
  } else {
    return (__ballot_sync(members, condition) & tile_of<width>(lane_id())) != 0;
  }
}

template <extreme wanted, int width, typename T, typename Index>
__device__ inline indexed<T, Index> extreme_of_tile(lane_mask members, T value, Index index) {
  using value_key = sort_key<wanted, T>;
  using index_key = sort_key<extreme::smallest, Index>;
  const candidate<typename value_key::word, typename index_key::word> mine{
      value_key::key_of(value), index_key::key_of(index)};
  const auto best = smallest_of_tile<width>(members, mine);
  bool is_negative = false;
  if constexpr (is_floating<T>) {
    const bool is_best = mine.key == best.key && mine.place == best.place;
    is_negative = any_of_tile<width>(members, is_best && value_key::is_negative(value));
  }
  return {value_key::value_of(best.key, is_negative), index_key::value_of(best.place, false)};
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
//               about ten others. Smaller tiles: log2(width) shuffles for every four bytes of both
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
