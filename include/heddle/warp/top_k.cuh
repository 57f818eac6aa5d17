// The first k keys of a tile, in order.
//   strategy    few keys: one extreme after the other; more: a bitonic network that keeps the first
//               k
//   needs       sm_75; reductions in one instruction sm_80
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/core/operators.cuh>
#include <heddle/core/ordering.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/warp/bitonic.cuh>
#include <heddle/warp/reduce.cuh>

#include <cstdint>
#include <type_traits>

namespace heddle::warp {

namespace detail {

// The narrowest tile that holds k lanes.
template <int k>
inline constexpr int tile_for = 2 * tile_for<(k + 1) / 2>;
template <>
inline constexpr int tile_for<1> = 1;

// Gives every aligned `kept_width` lanes of a tile the tile's first items, sorted.
template <int kept_width, int width, typename Item, typename Order>
__device__ inline Item first_items(const Item& item, lane_mask members, const Order& order) {
  if constexpr (kept_width == 1 && std::is_same_v<Order, by_code>) {
    return reduce<width>(item, minimum{}, members);
  } else {
    Item items[1] = {item};
    sort_tiles<kept_width>(items, members, order);
    // Before each step every kept_width lanes hold the first items of their size / 2 lanes, sorted.
#pragma unroll
    for (int size = 2 * kept_width; size <= width; size *= 2) {
      const Item backwards = from_partner(members, items[0], size / 2 + kept_width - 1);
      items[0] = keep_first<kept_width>(items[0], backwards, members, order);
    }
    return items[0];
  }
}

// True where the first few keys are found faster one after the other than by a network: of a warp
// by the instruction that reduces 32-bit integers, which takes as long as two steps or three.
template <int k, int width, typename Key, typename Before>
inline constexpr bool is_taken_one_by_one =
    std::conjunction_v<std::bool_constant<k <= 4>, std::bool_constant<orders_by_code<Before, Key>>,
                       std::bool_constant<has_instruction<width, order_code<Key>, minimum>>>;

// A code and the lanes that held it when it was taken; the first of them gave it.
template <typename Code>
struct taken {
  Code code;
  lane_mask holders;
};

// Takes the first code of a warp k times. Lane i < k gets what was taken as the i-th, the other
// lanes their own code.
template <int k, typename Code>
__device__ inline taken<Code> take_one_by_one(Code code, lane_mask members) {
  const int lane = lane_id();
  const lane_mask below = lanes_below(lane);
  bool is_left = true;
  taken<Code> mine{code, 0};
#pragma unroll
  for (int place = 0; place < k; ++place) {
    const Code offered = is_left ? code : heddle::detail::upper_end<Code>;
    const Code first = reduce_by_instruction<Code, minimum>(members, offered);
    const bool holds_first = is_left && code == first;
    const lane_mask holders = __ballot_sync(members, holds_first);
    if (lane == place) mine = {first, holders};
    // The first of them is taken. As bits, since conditions would become branches.
    const lane_mask earlier = holds_first ? holders & below : all_lanes;
    is_left = is_left && earlier != 0;
  }
  return mine;
}

// The same codes alone: equal ones are taken together, so that nobody asks which lane gave one.
// Where all that is left is the last code there is, lanes that have nothing left do no harm.
template <int k, typename Code>
__device__ inline Code take_codes(Code code, lane_mask members) {
  Code mine = reduce_by_instruction<Code, minimum>(members, code);
  Code first = mine;
  int taken = 0;
  // Before each step lanes up to taken - 1 have their code, and all after them the last one taken.
#pragma unroll
  for (int place = 1; place < k; ++place) {
    const bool is_first = code == first;
    taken += count(__ballot_sync(members, is_first));
    code = is_first ? heddle::detail::upper_end<Code> : code;
    first = reduce_by_instruction<Code, minimum>(members, code);
    mine = lane_id() < taken ? mine : first;
  }
  return mine;
}

template <bool is_stable, int k, int width, typename Key, typename Value, typename Before>
__device__ inline void top_k_pairs(Key& key, Value& value, const Before& before,
                                   lane_mask members) {
  if constexpr (is_taken_one_by_one<k, width, Key, Before>) {
    const auto mine = take_one_by_one<k>(Before::code(key), members);
    key = Before::template number<Key>(mine.code);
    value = shuffle(members, value, last_lane(mine.holders & (~mine.holders + 1)));
  } else {
    using form = std::conditional_t<is_stable, keyed<Key, Before, by_key_and_load<Before>>,
                                    keyed_for_pairs<1, Key, Before>>;
    constexpr bool value_is_load = !is_stable && fits_as_load<Key, Before, Value>;
    std::uint32_t load;
    if constexpr (value_is_load) {
      load = as_load(value);
    } else {
      load = static_cast<std::uint32_t>(lane_id() % width);
    }
    const auto item =
        first_items<tile_for<k>, width>(form::make(key, load), members, form::order(before));
    key = form::key(item);
    if constexpr (value_is_load) {
      value = from_load<Value>(form::load(item));
    } else {
      value = shuffle(members, value, static_cast<int>(form::load(item)), width);
    }
  }
}

}  // namespace detail

// The k first keys of each tile of `width` lanes, in order: the largest ones, unless told
// otherwise.
//   called by   every lane of `members`, which holds whole tiles
//   result in   lanes 0 … k - 1 of the tile; other lanes get something else
//   before      a strict weak ordering: true if its first key must stand before its second. By
//               default descending{}, so the largest come first, NaN last; ascending{} gives the
//               smallest
//   order       of equal keys any; stable_top_k() takes those of the first lanes
//   k           1 … width
//   cost        for numbers of up to 4 bytes by ascending or descending, of a warp: a reduction, a
//               vote and a few instructions for each key while k is up to 4, then 14, 15, 15 steps
//               for k up to 8, 16, 32, each of a shuffle and 2 instructions. Tiles take 1, 3, 6,
//               10 steps for k = width = 2, 4, 8, 16. Other keys as for sort()
template <int k, int width = warp_size, exchangeable T, orders<T> Before = descending>
[[nodiscard]] __device__ T top_k(T key, Before before = {}, lane_mask members = all_lanes) {
  static_assert(is_tile_width<width>, "a tile is 1, 2, 4, 8, 16 or 32 lanes wide");
  static_assert(1 <= k && k <= width, "k is at least 1 and at most the width of a tile");
  HEDDLE_EXPECTS(detail::has_whole_tile<width>(members),
                 "warp::top_k needs every lane of the caller's tile among its members");
  if constexpr (k > 1 && detail::is_taken_one_by_one<k, width, T, Before>) {
    return Before::template number<T>(detail::take_codes<k>(Before::code(key), members));
  } else if constexpr (orders_by_code<Before, T>) {
    return Before::template number<T>(detail::first_items<detail::tile_for<k>, width>(
        Before::code(key), members, detail::by_code{}));
  } else {
    return detail::first_items<detail::tile_for<k>, width>(key, members,
                                                           detail::by_key<Before>{before});
  }
}

// The same where of equal keys those of the first lanes are taken, and keep their order.
//   cost        that of top_k() for numbers by ascending or descending, where equal keys are the
//               same bits; else a shuffle more for every step
template <int k, int width = warp_size, exchangeable T, orders<T> Before = descending>
[[nodiscard]] __device__ T stable_top_k(T key, Before before = {}, lane_mask members = all_lanes) {
  if constexpr (orders_by_code<Before, T>) {
    return top_k<k, width>(key, before, members);
  } else {
    static_assert(is_tile_width<width>, "a tile is 1, 2, 4, 8, 16 or 32 lanes wide");
    static_assert(1 <= k && k <= width, "k is at least 1 and at most the width of a tile");
    HEDDLE_EXPECTS(detail::has_whole_tile<width>(members),
                   "warp::stable_top_k needs every lane of the caller's tile among its members");
    using form = detail::keyed<T, Before, detail::by_key_and_load<Before>>;
    return form::key(detail::first_items<detail::tile_for<k>, width>(
        form::make(key, static_cast<std::uint32_t>(lane_id())), members, form::order(before)));
  }
}

// The k-th of them alone: what a key of the tile must reach to be among the first k.
//   called by   every lane of `members`, which holds whole tiles
//   result in   every lane of the tile
//   before      as for top_k()
//   k           1 … width
//   cost        that of top_k() and one more shuffle for every four bytes
template <int k, int width = warp_size, exchangeable T, orders<T> Before = descending>
[[nodiscard]] __device__ T kth(T key, Before before = {}, lane_mask members = all_lanes) {
  const T first = top_k<k, width>(key, before, members);
  if constexpr (k == 1) return first;
  return shuffle(members, first, k - 1, width);
}

// The pairs of the k first keys, in order.
//   called by   every lane of `members`, which holds whole tiles
//   result in   `key` and `value` of lanes 0 … k - 1 of the tile; other lanes get something else
//   before      as for top_k()
//   order       of pairs with equal keys any
//   k           1 … width
//   cost        the steps of top_k(), each with a shuffle more (none for numbers of up to 2 bytes);
//               values of more than 4 bytes, and those of k up to 4 keys of a warp that are found
//               by reductions, travel once, at the end
template <int k, int width = warp_size, exchangeable Key, exchangeable Value,
          orders<Key> Before = descending>
__device__ void top_k_pairs(Key& key, Value& value, Before before = {},
                            lane_mask members = all_lanes) {
  static_assert(is_tile_width<width>, "a tile is 1, 2, 4, 8, 16 or 32 lanes wide");
  static_assert(1 <= k && k <= width, "k is at least 1 and at most the width of a tile");
  HEDDLE_EXPECTS(detail::has_whole_tile<width>(members),
                 "warp::top_k_pairs needs every lane of the caller's tile among its members");
  detail::top_k_pairs<false, k, width>(key, value, before, members);
}

// The same where of equal keys those of the first lanes are taken, and keep their order.
//   cost        that of top_k_pairs(), and values of every size travel at the end
template <int k, int width = warp_size, exchangeable Key, exchangeable Value,
          orders<Key> Before = descending>
__device__ void stable_top_k_pairs(Key& key, Value& value, Before before = {},
                                   lane_mask members = all_lanes) {
  static_assert(is_tile_width<width>, "a tile is 1, 2, 4, 8, 16 or 32 lanes wide");
  static_assert(1 <= k && k <= width, "k is at least 1 and at most the width of a tile");
  HEDDLE_EXPECTS(
      detail::has_whole_tile<width>(members),
      "warp::stable_top_k_pairs needs every lane of the caller's tile among its members");
  detail::top_k_pairs<true, k, width>(key, value, before, members);
}

}  // namespace heddle::warp
