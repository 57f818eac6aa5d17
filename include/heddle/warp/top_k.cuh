// The first k keys of a tile, in order.
//   strategy    few keys: one reduction per key; more: a bitonic network that keeps the first k
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

// The narrowest tile with at least k lanes.
template <int k>
inline constexpr int tile_for = 2 * tile_for<(k + 1) / 2>;
template <>
inline constexpr int tile_for<1> = 1;

// Gives every aligned block of `kept_width` lanes of a tile the tile's first items, sorted.
template <int kept_width, int width, typename Item, typename Order>
__device__ inline Item first_items(const Item& item, lane_mask members, const Order& order) {
  if constexpr (kept_width == 1 && std::is_same_v<Order, by_code>) {
    return reduce<width>(item, minimum{}, members);
  } else {
    Item items[1] = {item};
    sort_tiles<kept_width>(items, members, order);
    // Before each step every block of kept_width lanes holds the first items of its size / 2 lanes,
    // sorted.
#pragma unroll
    for (int size = 2 * kept_width; size <= width; size *= 2) {
      const Item backwards = from_partner(members, items[0], size / 2 + kept_width - 1);
      items[0] = keep_first<kept_width>(items[0], backwards, members, order);
    }
    return items[0];
  }
}

// True if the first few keys are found faster one by one than by a network: in a whole warp, by the
// instruction that reduces 32-bit integers, which takes as long as two or three steps.
template <int k, int width, typename Key, typename Before>
inline constexpr bool is_taken_one_by_one =
    std::conjunction_v<std::bool_constant<k <= 4>, std::bool_constant<orders_by_code<Before, Key>>,
                       std::bool_constant<has_instruction<width, order_code<Key>, minimum>>>;

// A code and the lanes that held it when it was taken; it came from the first of them.
template <typename Code>
struct taken {
  Code code;
  lane_mask holders;
};

// Takes the first remaining code of a warp k times. Lane i < k gets the i-th code taken; the other
// lanes keep their own code.
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
    // The first holder's code is taken. Computed on masks, because conditions would become
    // branches.
    const lane_mask earlier = holds_first ? holders & below : all_lanes;
    is_left = is_left && earlier != 0;
  }
  return mine;
}

// The same codes without their holders: equal codes are taken together. A lane whose code was taken
// offers the last possible code. If that is the minimum, all remaining codes equal it, so the
// result is still right.
template <int k, typename Code>
__device__ inline Code take_codes(Code code, lane_mask members) {
  Code mine = reduce_by_instruction<Code, minimum>(members, code);
  Code first = mine;
  int taken = 0;
  // Before each step lanes 0 … taken - 1 have their code, and all lanes after them the last code
  // taken.
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

// The first k keys of each tile of `width` lanes, in order: by default the largest.
//   called by   every lane of `members`, which holds whole tiles
//   result in   lanes 0 … k - 1 of the tile; other lanes get unspecified values
//   before      a strict weak ordering: true if its first key must come before its second. By
//               default descending{}, so the largest come first, NaN last; ascending{} gives the
//               smallest
//   order       any of several equal keys may be taken; stable_top_k() takes those of the first
//               lanes
//   k           1 … width
//   cost        numbers of up to 4 bytes with ascending or descending, in a whole warp: a
//               reduction, a vote and a few instructions per key for k up to 4; then 14, 15, 15
//               steps for k up to 8, 16, 32, each with a shuffle and 2 instructions. Tiles take 1,
//               3, 6, 10 steps for k = width = 2, 4, 8, 16. Other keys: as for sort()
template <int k, int width = warp_size, exchangeable T, orders<T> Before = descending>
[[nodiscard]] __device__ T top_k(T key, Before before = {}, lane_mask members = all_lanes) {
  static_assert(1 <= k && k <= width, "k is at least 1 and at most the width of a tile");
  HEDDLE_EXPECTS_TILE(width, members, "warp::top_k");
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

// top_k() that takes, of equal keys, those of the first lanes, in their order.
//   cost        that of top_k() for numbers with ascending or descending, where equal keys have the
//               same bits; otherwise one more shuffle per step
template <int k, int width = warp_size, exchangeable T, orders<T> Before = descending>
[[nodiscard]] __device__ T stable_top_k(T key, Before before = {}, lane_mask members = all_lanes) {
  if constexpr (orders_by_code<Before, T>) {
    return top_k<k, width>(key, before, members);
  } else {
    static_assert(is_tile_width<width>, "a tile is 1, 2, 4, 8, 16 or 32 lanes wide");
    static_assert(1 <= k && k <= width, "k is at least 1 and at most the width of a tile");
    HEDDLE_EXPECTS_TILE(width, members, "warp::stable_top_k");
    using form = detail::keyed<T, Before, detail::by_key_and_load<Before>>;
    return form::key(detail::first_items<detail::tile_for<k>, width>(
        form::make(key, static_cast<std::uint32_t>(lane_id())), members, form::order(before)));
  }
}

// The k-th key alone: the threshold that a key of the tile must reach to be among the first k.
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

// The pairs with the first k keys, in order.
//   called by   every lane of `members`, which holds whole tiles
//   result in   `key` and `value` of lanes 0 … k - 1 of the tile; other lanes get unspecified
//               values
//   before      as for top_k()
//   order       any of several pairs with equal keys may be taken
//   k           1 … width
//   cost        the steps of top_k(), each with one more shuffle (none for numbers of up to 2
//               bytes). Values over 4 bytes (over 2 with such numbers) are moved once, at the end;
//               so are all values if k is up to 4 and the keys of a warp are found by reductions
template <int k, int width = warp_size, exchangeable Key, exchangeable Value,
          orders<Key> Before = descending>
__device__ void top_k_pairs(Key& key, Value& value, Before before = {},
                            lane_mask members = all_lanes) {
  static_assert(1 <= k && k <= width, "k is at least 1 and at most the width of a tile");
  HEDDLE_EXPECTS_TILE(width, members, "warp::top_k_pairs");
  detail::top_k_pairs<false, k, width>(key, value, before, members);
}

// top_k_pairs() that takes, of equal keys, those of the first lanes, in their order.
//   cost        that of top_k_pairs(), with values of every size moved at the end
template <int k, int width = warp_size, exchangeable Key, exchangeable Value,
          orders<Key> Before = descending>
__device__ void stable_top_k_pairs(Key& key, Value& value, Before before = {},
                                   lane_mask members = all_lanes) {
  static_assert(1 <= k && k <= width, "k is at least 1 and at most the width of a tile");
  HEDDLE_EXPECTS_TILE(width, members, "warp::stable_top_k_pairs");
  detail::top_k_pairs<true, k, width>(key, value, before, members);
}

}  // namespace heddle::warp
