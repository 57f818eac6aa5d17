// Keys of the members of a group, brought into order: the first key to rank 0, and so on.
//   strategy    a bitonic network of shuffles; members that do not lie side by side find each other
//               first
//   needs       sm_75
#pragma once
#include <heddle/core/mask.cuh>
#include <heddle/core/ordering.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/group/members.cuh>
#include <heddle/warp/bitonic.cuh>
#include <heddle/warp/sort.cuh>

#include <cstdint>
#include <type_traits>

namespace heddle::group {

namespace detail {

// Where the members 1, 2, 4, 8 and 16 ranks before and after the caller are; where there are none,
// some member.
struct rank_neighbours {
  static constexpr int steps = 5;
  int before[steps];
  int after[steps];

  template <typename Lanes>
  __device__ explicit rank_neighbours(const Lanes& members) {
    before[0] = last_or_own(prefix(members.mask, lane_id()));
    const int next = next_lane(members.mask, lane_id());
    after[0] = next >= 0 ? next : lane_id();
#pragma unroll
    for (int step = 1; step < steps; ++step) {
      // Who is as far from the one who is half as far.
      before[step] = heddle::shuffle(members.callers(), before[step - 1], before[step - 1]);
      after[step] = heddle::shuffle(members.callers(), after[step - 1], after[step - 1]);
    }
  }
};

template <typename Item>
__device__ inline Item from_lane(lane_mask callers, const Item& item, int source) {
  return heddle::shuffle(callers, item, source);
}
// Key and load apart: bytes between them are not worth a shuffle.
template <typename Key, typename Load>
__device__ inline warp::detail::loaded<Key, Load> from_lane(
    lane_mask callers, const warp::detail::loaded<Key, Load>& item, int source) {
  return {heddle::shuffle(callers, item.key, source), heddle::shuffle(callers, item.load, source)};
}

// Batcher's odd-even merges, which suit any number of items: all comparisons bring what comes first
// to the smaller rank, so those with ranks that do not exist can be left out. Before each merge
// every run of `sorted` ranks is in order.
template <typename Lanes, typename Item, typename Order>
__device__ inline Item sort_ranks(const Lanes& members, Item item, const Order& order) {
  const rank_neighbours neighbours(members);
  const int rank = members.rank();
  const int size = members.size();
  const int most = count(members.callers());  // all groups that call together take as many steps
#pragma unroll
  for (int merge = 0; merge < rank_neighbours::steps; ++merge) {
    const int sorted = 1 << merge;
    if (sorted >= most) break;
#pragma unroll
    for (int step = merge; step >= 0; --step) {
      const int distance = 1 << step;
      // The first step compares the two runs, the others each odd place with the even one after it.
      const bool keeps_first = ((rank & distance) == 0) == (distance == sorted);
      const int partner = keeps_first ? rank + distance : rank - distance;
      const bool is_in_merge = partner >= 0 && (partner ^ rank) < 2 * sorted && partner < size;
      const int found = keeps_first ? neighbours.after[step] : neighbours.before[step];
      // Who has no partner compares itself with itself.
      const Item other = from_lane(members.callers(), item, is_in_merge ? found : lane_id());
      item = warp::detail::kept<true>(item, other, keeps_first, order);
    }
  }
  return item;
}

template <typename Lanes, typename Key, typename Before>
__device__ inline Key sort_keys(const Lanes& members, const Key& key, const Before& before) {
  if constexpr (orders_by_code<Before, Key>) {
    const auto sorted = sort_ranks(members, Before::code(key), warp::detail::by_code{});
    return Before::template number<Key>(sorted);
  } else {
    return sort_ranks(members, key, warp::detail::by_key<Before>{before});
  }
}

// Sorts keys with 32-bit loads. Those of equal keys come in order, too, where `by_load` is true.
template <bool by_load, typename Lanes, typename Key, typename Before>
__device__ inline void sort_loaded(const Lanes& members, Key& key, std::uint32_t& load,
                                   const Before& before) {
  using order = std::conditional_t<by_load, warp::detail::by_key_and_load<Before>,
                                   warp::detail::by_key<Before>>;
  using form = warp::detail::keyed<Key, Before, order>;
  const auto sorted = sort_ranks(members, form::make(key, load), form::order(before));
  key = form::key(sorted);
  load = form::load(sorted);
}

// Sorts pairs: small values on the way with their keys, others fetched at the end.
template <bool is_stable, typename Lanes, typename Key, typename Value, typename Before>
__device__ inline void sort_lane_pairs(const Lanes& members, Key& key, Value& value,
                                       const Before& before) {
  if constexpr (!is_stable && warp::detail::fits_as_load<Key, Before, Value>) {
    std::uint32_t load = warp::detail::as_load(value);
    sort_loaded<false>(members, key, load, before);
    value = warp::detail::from_load<Value>(load);
  } else {
    // Lanes stand in the order of ranks.
    auto lane = static_cast<std::uint32_t>(lane_id());
    sort_loaded<is_stable>(members, key, lane, before);
    value = heddle::shuffle(members.callers(), value, static_cast<int>(lane));
  }
}

}  // namespace detail

// The contract of all functions here:
//   called by   every member of a group within a warp
//   before      a strict weak ordering: true if its first key must come before its second. By
//               default ascending{}: -0 before +0, every NaN after all numbers
//   cost        tiles, and lanes and coalesced groups that are whole warps: as in heddle::warp.
//               Others: eight shuffles to find each other, then k * (k + 1) / 2 steps for up to 2^k
//               members (of all parts together), 15 for more than 16, each of one shuffle for every
//               four bytes and about ten instructions. A coalesced group costs what lanes_of() does

// Sorts one key of each member.
//   result in   the member of rank i: the key that comes i-th
//   order       of equal keys any; stable_sort() keeps theirs
template <in_one_warp Group, exchangeable T, orders<T> Before = ascending>
[[nodiscard]] __device__ T sort(const Group& group, T key, Before before = {}) {
  const auto members = lanes_of(group);
  if constexpr (warp_tile<Group>) {
    return warp::sort<tile_size<Group>>(key, before, members.mask);
  } else {
    if (!std::is_same_v<Group, part> && members.mask == all_lanes) return warp::sort(key, before);
    return detail::sort_keys(members, key, before);
  }
}

// The same with equal keys left in rank order.
//   cost        that of sort() for numbers by ascending or descending, where equal keys are the
//               same bits; else a shuffle more for every step
template <in_one_warp Group, exchangeable T, orders<T> Before = ascending>
[[nodiscard]] __device__ T stable_sort(const Group& group, T key, Before before = {}) {
  const auto members = lanes_of(group);
  if constexpr (warp_tile<Group>) {
    return warp::stable_sort<tile_size<Group>>(key, before, members.mask);
  } else {
    if (!std::is_same_v<Group, part> && members.mask == all_lanes) {
      return warp::stable_sort(key, before);
    }
    if constexpr (orders_by_code<Before, T>) {
      return detail::sort_keys(members, key, before);
    } else {
      auto lane = static_cast<std::uint32_t>(lane_id());
      detail::sort_loaded<true>(members, key, lane, before);
      return key;
    }
  }
}

// Sorts one key of each member together with a value.
//   result in   `key` and `value` of the member of rank i: the pair that comes i-th
//   order       of pairs with equal keys any
//   cost        the steps of sort(), each with a shuffle more (none for numbers of up to 2 bytes);
//               values of more than 4 bytes travel once, at the end
template <in_one_warp Group, exchangeable Key, exchangeable Value, orders<Key> Before = ascending>
__device__ void sort_pairs(const Group& group, Key& key, Value& value, Before before = {}) {
  const auto members = lanes_of(group);
  if constexpr (warp_tile<Group>) {
    warp::sort_pairs<tile_size<Group>>(key, value, before, members.mask);
  } else if (!std::is_same_v<Group, part> && members.mask == all_lanes) {
    warp::sort_pairs(key, value, before);
  } else {
    detail::sort_lane_pairs<false>(members, key, value, before);
  }
}

// The same with pairs of equal keys left in rank order.
//   cost        that of sort_pairs(), and values of every size travel at the end
template <in_one_warp Group, exchangeable Key, exchangeable Value, orders<Key> Before = ascending>
__device__ void stable_sort_pairs(const Group& group, Key& key, Value& value, Before before = {}) {
  const auto members = lanes_of(group);
  if constexpr (warp_tile<Group>) {
    warp::stable_sort_pairs<tile_size<Group>>(key, value, before, members.mask);
  } else if (!std::is_same_v<Group, part> && members.mask == all_lanes) {
    warp::stable_sort_pairs(key, value, before);
  } else {
    detail::sort_lane_pairs<true>(members, key, value, before);
  }
}

}  // namespace heddle::group
