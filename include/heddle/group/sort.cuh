// Sorts the keys of the members of a group: the first key goes to rank 0, and so on.
//   strategy    tiles and whole warps: a bitonic network of shuffles; other groups: Batcher's
//               odd-even merge sort between ranks
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

// The lanes of the members 1, 2, 4, 8 and 16 ranks before and after the caller; an arbitrary member
// where there is none.
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
      // Twice as far: the neighbour of the neighbour half as far.
      before[step] = heddle::shuffle(members.callers(), before[step - 1], before[step - 1]);
      after[step] = heddle::shuffle(members.callers(), after[step - 1], after[step - 1]);
    }
  }
};

template <typename Item>
__device__ inline Item from_lane(lane_mask callers, const Item& item, int source) {
  return heddle::shuffle(callers, item, source);
}
// Key and load are shuffled separately, so that padding between them costs no shuffle.
template <typename Key, typename Load>
__device__ inline warp::detail::loaded<Key, Load> from_lane(
    lane_mask callers, const warp::detail::loaded<Key, Load>& item, int source) {
  return {heddle::shuffle(callers, item.key, source), heddle::shuffle(callers, item.load, source)};
}

// Batcher's odd-even merge sort, which works for any number of items: every comparison moves the
// item that comes first to the smaller rank, so comparisons with ranks that do not exist can be
// left out. Before each merge every run of `sorted` ranks is in order.
template <typename Lanes, typename Item, typename Order>
__device__ inline Item sort_ranks(const Lanes& members, Item item, const Order& order) {
  const rank_neighbours neighbours(members);
  const int rank = members.rank();
  const int size = members.size();
  const int most = count(members.callers());  // groups that call together take the same steps
#pragma unroll
  for (int merge = 0; merge < rank_neighbours::steps; ++merge) {
    const int sorted = 1 << merge;
    if (sorted >= most) break;
#pragma unroll
    for (int step = merge; step >= 0; --step) {
      const int distance = 1 << step;
      // The first step compares the two runs; the others compare each odd place with the even one
      // after it.
      const bool keeps_first = ((rank & distance) == 0) == (distance == sorted);
      const int partner = keeps_first ? rank + distance : rank - distance;
      const bool is_in_merge = partner >= 0 && (partner ^ rank) < 2 * sorted && partner < size;
      const int found = keeps_first ? neighbours.after[step] : neighbours.before[step];
      // A member without a partner compares its item with itself.
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

// Sorts keys with 32-bit loads. If `by_load` is true, equal keys are sorted by their loads.
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

// Sorts pairs: small values travel with their keys, others are fetched at the end.
template <bool is_stable, typename Lanes, typename Key, typename Value, typename Before>
__device__ inline void sort_lane_pairs(const Lanes& members, Key& key, Value& value,
                                       const Before& before) {
  if constexpr (!is_stable && warp::detail::fits_as_load<Key, Before, Value>) {
    std::uint32_t load = warp::detail::as_load(value);
    sort_loaded<false>(members, key, load, before);
    value = warp::detail::from_load<Value>(load);
  } else {
    // Lane numbers are in rank order.
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
//               Others: eight shuffles to find their neighbours, then k * (k + 1) / 2 steps for up
//               to 2^k members (of all parts together), 15 for more than 16, each with one shuffle
//               for every four bytes and about ten instructions. Coalesced groups add the cost of
//               lanes_of()

// Sorts one key of each member.
//   result in   the member of rank i: the i-th key in order
//   order       equal keys end up in any order; stable_sort() keeps their order
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

// sort() that keeps equal keys in rank order.
//   cost        that of sort() for numbers with ascending or descending, where equal keys have the
//               same bits; otherwise one more shuffle per step
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

// Sorts one pair of a key and a value of each member, by key.
//   result in   `key` and `value` of the member of rank i: the i-th pair in order
//   order       pairs with equal keys end up in any order
//   cost        the steps of sort(), each with one more shuffle (none for numbers of up to 2
//               bytes); values over 4 bytes (over 2 with such numbers) are moved once, at the end
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

// sort_pairs() that keeps pairs with equal keys in rank order.
//   cost        that of sort_pairs(), with values of every size moved at the end
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
