// Sorts the keys of the lanes of a tile.
//   strategy    a bitonic network of shuffles
//   needs       sm_75
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/core/ordering.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/warp/bitonic.cuh>

#include <cstdint>
#include <type_traits>

namespace heddle::warp {

namespace detail {

inline constexpr int most_keys_of_a_lane = 8;

// A key's position before the sort: by lane, then by key within the lane. Below 256.
template <int count>
__device__ inline std::uint32_t place_of(int lane, int key) {
  if constexpr (count == 1) return static_cast<std::uint32_t>(lane);
  return static_cast<std::uint32_t>(lane * most_keys_of_a_lane + key);
}

// Sets values[i] to the value that was at position places[i] of the tile.
template <int width, int count, typename Value>
__device__ inline void fetch(Value (&values)[count], const std::uint32_t (&places)[count],
                             lane_mask members) {
  if constexpr (count == 1) {
    values[0] = shuffle(members, values[0], static_cast<int>(places[0]), width);
  } else {
    Value fetched[count];
#pragma unroll
    for (int i = 0; i < count; ++i) {
      const auto lane = static_cast<int>(places[i]) / most_keys_of_a_lane;
      const auto key = static_cast<int>(places[i]) % most_keys_of_a_lane;
      fetched[i] = shuffle(members, values[0], lane, width);
#pragma unroll
      for (int j = 1; j < count; ++j) {
        const Value other = shuffle(members, values[j], lane, width);
        if (key == j) fetched[i] = other;
      }
    }
#pragma unroll
    for (int i = 0; i < count; ++i) values[i] = fetched[i];
  }
}

// Sorts keys with 32-bit loads. If `by_load` is true, equal keys are sorted by their loads.
template <bool by_load, int width, int count, typename Key, typename Before>
__device__ inline void sort_loaded(Key (&keys)[count], std::uint32_t (&loads)[count],
                                   const Before& before, lane_mask members) {
  using form = std::conditional_t<by_load, keyed<Key, Before, by_key_and_load<Before>>,
                                  keyed_for_pairs<count, Key, Before>>;
  typename form::item items[count];
#pragma unroll
  for (int i = 0; i < count; ++i) items[i] = form::make(keys[i], loads[i]);
  sort_tiles<width>(items, members, form::order(before));
#pragma unroll
  for (int i = 0; i < count; ++i) {
    keys[i] = form::key(items[i]);
    loads[i] = form::load(items[i]);
  }
}

// Sorts pairs: small values travel with their keys, others are fetched at the end.
template <bool is_stable, int width, int count, typename Key, typename Value, typename Before>
__device__ inline void sort_pairs(Key (&keys)[count], Value (&values)[count], const Before& before,
                                  lane_mask members) {
  constexpr bool value_is_load = !is_stable && fits_as_load<Key, Before, Value>;
  std::uint32_t loads[count];
#pragma unroll
  for (int i = 0; i < count; ++i) {
    if constexpr (value_is_load) {
      loads[i] = as_load(values[i]);
    } else {
      loads[i] = place_of<count>(lane_id() % width, i);
    }
  }
  sort_loaded<is_stable, width>(keys, loads, before, members);
  if constexpr (value_is_load) {
#pragma unroll
    for (int i = 0; i < count; ++i) values[i] = from_load<Value>(loads[i]);
  } else {
    fetch<width>(values, loads, members);
  }
}

}  // namespace detail

// Sorts the keys of each tile of `width` lanes, `count` per lane. Afterwards the first `count` keys
// are in the tile's first lane, and so on.
//   called by   every lane of `members`, which holds whole tiles
//   result in   `keys` of every lane of the tile
//   before      a strict weak ordering: true if its first key must come before its second. By
//               default ascending{}: -0 before +0, every NaN after all numbers
//   order       equal keys end up in any order; stable_sort() keeps their order
//   count       1 … 8
//   cost        log2(width) * (log2(width) + 1) / 2 steps, 15 for a warp, each with one shuffle for
//               every four bytes of each of the `count` keys; 3 instructions per step for numbers
//               of up to 4 bytes with ascending or descending, 6 for those of 8 bytes
template <int width = warp_size, exchangeable T, int count, orders<T> Before = ascending>
__device__ void sort(T (&keys)[count], Before before = {}, lane_mask members = all_lanes) {
  static_assert(count <= detail::most_keys_of_a_lane, "a lane brings up to 8 keys");
  HEDDLE_EXPECTS_TILE(width, members, "warp::sort");
  if constexpr (orders_by_code<Before, T>) {
    order_code<T> codes[count];
#pragma unroll
    for (int i = 0; i < count; ++i) codes[i] = Before::code(keys[i]);
    detail::sort_tiles<width>(codes, members, detail::by_code{});
#pragma unroll
    for (int i = 0; i < count; ++i) keys[i] = Before::template number<T>(codes[i]);
  } else {
    detail::sort_tiles<width>(keys, members, detail::by_key<Before>{before});
  }
}

// sort() for one key per lane: the tile's first lane gets the first key, and so on.
template <int width = warp_size, exchangeable T, orders<T> Before = ascending>
[[nodiscard]] __device__ T sort(T key, Before before = {}, lane_mask members = all_lanes) {
  T keys[1] = {key};
  sort<width>(keys, before, members);
  return keys[0];
}

// sort() that keeps the order of equal keys: by lane, then by key within a lane.
//   cost        that of sort() for numbers with ascending or descending, where equal keys have the
//               same bits; otherwise one more shuffle per step and key
template <int width = warp_size, exchangeable T, int count, orders<T> Before = ascending>
__device__ void stable_sort(T (&keys)[count], Before before = {}, lane_mask members = all_lanes) {
  static_assert(is_tile_width<width>, "a tile is 1, 2, 4, 8, 16 or 32 lanes wide");
  static_assert(count <= detail::most_keys_of_a_lane, "a lane brings up to 8 keys");
  if constexpr (orders_by_code<Before, T>) {
    sort<width>(keys, before, members);
  } else {
    HEDDLE_EXPECTS_TILE(width, members, "warp::stable_sort");
    std::uint32_t places[count];
#pragma unroll
    for (int i = 0; i < count; ++i) places[i] = detail::place_of<count>(lane_id() % width, i);
    detail::sort_loaded<true, width>(keys, places, before, members);
  }
}

// stable_sort() for one key per lane.
template <int width = warp_size, exchangeable T, orders<T> Before = ascending>
[[nodiscard]] __device__ T stable_sort(T key, Before before = {}, lane_mask members = all_lanes) {
  T keys[1] = {key};
  stable_sort<width>(keys, before, members);
  return keys[0];
}

// Sorts pairs of a key and a value by their keys, as sort() sorts keys.
//   called by   every lane of `members`, which holds whole tiles
//   result in   `keys` and `values` of every lane of the tile; the values stay with their keys
//   before      a strict weak ordering, as for sort()
//   order       pairs with equal keys end up in any order
//   cost        the steps of sort(), each with one more shuffle per key (none for numbers of up to
//               2 bytes); values over 4 bytes (over 2 with such numbers) are moved once, at the
//               end, by count * count shuffles for every four bytes
template <int width = warp_size, exchangeable Key, exchangeable Value, int count,
          orders<Key> Before = ascending>
__device__ void sort_pairs(Key (&keys)[count], Value (&values)[count], Before before = {},
                           lane_mask members = all_lanes) {
  static_assert(count <= detail::most_keys_of_a_lane, "a lane brings up to 8 keys");
  HEDDLE_EXPECTS_TILE(width, members, "warp::sort_pairs");
  detail::sort_pairs<false, width>(keys, values, before, members);
}

// sort_pairs() that keeps the order of pairs with equal keys.
//   cost        that of sort_pairs(), with values of every size moved at the end
template <int width = warp_size, exchangeable Key, exchangeable Value, int count,
          orders<Key> Before = ascending>
__device__ void stable_sort_pairs(Key (&keys)[count], Value (&values)[count], Before before = {},
                                  lane_mask members = all_lanes) {
  static_assert(count <= detail::most_keys_of_a_lane, "a lane brings up to 8 keys");
  HEDDLE_EXPECTS_TILE(width, members, "warp::stable_sort_pairs");
  detail::sort_pairs<true, width>(keys, values, before, members);
}

// Both for one pair per lane.
template <int width = warp_size, exchangeable Key, exchangeable Value,
          orders<Key> Before = ascending>
__device__ void sort_pairs(Key& key, Value& value, Before before = {},
                           lane_mask members = all_lanes) {
  Key keys[1] = {key};
  Value values[1] = {value};
  sort_pairs<width>(keys, values, before, members);
  key = keys[0];
  value = values[0];
}
template <int width = warp_size, exchangeable Key, exchangeable Value,
          orders<Key> Before = ascending>
__device__ void stable_sort_pairs(Key& key, Value& value, Before before = {},
                                  lane_mask members = all_lanes) {
  Key keys[1] = {key};
  Value values[1] = {value};
  stable_sort_pairs<width>(keys, values, before, members);
  key = keys[0];
  value = values[0];
}

}  // namespace heddle::warp
