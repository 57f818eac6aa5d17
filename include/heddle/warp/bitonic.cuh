// Bitonic networks over the lanes of a tile: the building blocks of sort and top_k.
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/warp/bitonic_item.cuh>

#include <type_traits>

namespace heddle::warp::detail {

template <typename Item>
__device__ inline Item from_partner(lane_mask members, const Item& item, int distance) {
  return shuffle_xor(members, item, distance);
}
// Key and load are shuffled separately, so that padding between them costs no shuffle.
template <typename Key, typename Load>
__device__ inline loaded<Key, Load> from_partner(lane_mask members, const loaded<Key, Load>& item,
                                                 int distance) {
  return {shuffle_xor(members, item.key, distance), shuffle_xor(members, item.load, distance)};
}

// True if the lane takes its partner's item. If the codes are equal, each lane keeps its own. The
// comparison is in twice the bits, and the lowest bit of the limit encodes `keeps_first`: that way
// one comparison is enough.
template <typename Code>
__device__ inline bool is_taken(Code mine, Code other, bool keeps_first) {
  static_assert(sizeof(Code) == 4, "a code of four bytes is compared in eight");
  using wide = std::conditional_t<std::is_signed_v<Code>, std::int64_t, std::uint64_t>;
  constexpr wide above = wide{1} << 32;
  const wide limit = static_cast<wide>(mine) * above + (keeps_first ? 0 : 1);
  return (static_cast<wide>(other) * above < limit) == keeps_first;
}

// The item that a lane keeps in a compare-exchange with its partner: the first of the two if
// `keeps_first`, else the second. `is_single`: the lane exchanges only one item in this step.
template <bool is_single, typename Item, typename Order>
__device__ inline Item kept(const Item& mine, const Item& other, bool keeps_first,
                            const Order& order) {
  if constexpr (is_single && std::is_same_v<Order, by_code> && sizeof(Item) == 4) {
    // Shorter than compare and select; but the compiler turns several in a row into branches.
    return keeps_first ? min(mine, other) : max(mine, other);
  } else if constexpr (is_single && std::is_same_v<Order, by_code_alone>) {
    return is_taken(mine.key, other.key, keeps_first) ? other : mine;
  } else if constexpr (Order::is_total) {
    return order(other, mine) == keeps_first ? other : mine;
  } else {
    // If the items are equal, both lanes keep their own.
    const Item& lower = keeps_first ? mine : other;
    const Item& upper = keeps_first ? other : mine;
    return order(upper, lower) ? other : mine;
  }
}

// Puts two items of one lane in order.
template <typename Item, typename Order>
__device__ inline void put_in_order(Item& a, Item& b, const Order& order) {
  if constexpr (std::is_same_v<Order, by_code> && sizeof(Item) == 4) {
    const Item first = min(a, b);
    b = max(a, b);
    a = first;
  } else {
    const bool is_wrong = order(b, a);
    const Item first = is_wrong ? b : a;
    b = is_wrong ? a : b;
    a = first;
  }
}

// Sorts items[first] … items[first + size - 1] of a lane by Batcher's odd-even merge sort, which
// works for any size: 1, 3, 5, 9, 12, 16 and 19 comparisons for 2 … 8 items.
template <int size, int count, typename Item, typename Order>
__device__ inline void sort_in_lane(Item (&items)[count], int first, const Order& order) {
#pragma unroll
  for (int sorted = 1; sorted < size; sorted *= 2) {
#pragma unroll
    for (int distance = sorted; distance > 0; distance /= 2) {
#pragma unroll
      for (int i = 0; i + distance < size; ++i) {
        const int begin = distance % sorted;
        const bool is_lower = i >= begin && (i - begin) / distance % 2 == 0;
        const bool is_one_merge = i / (2 * sorted) == (i + distance) / (2 * sorted);
        if (is_lower && is_one_merge)
          put_in_order(items[first + i], items[first + i + distance], order);
      }
    }
  }
}

template <int number>
inline constexpr int odd_part = number % 2 == 0 ? odd_part<number / 2> : number;
template <>
inline constexpr int odd_part<0> = 1;

// Sorts a lane's items that are bitonic: they rise and then fall, or are a rotation of that.
template <int count, typename Item, typename Order>
__device__ inline void merge_in_lane(Item (&items)[count], const Order& order) {
  constexpr int odd = odd_part<count>;
  // Before each step every part of `size` items is bitonic, and the parts are in order.
#pragma unroll
  for (int size = count; size > odd; size /= 2) {
#pragma unroll
    for (int i = 0; i < count; ++i) {
      if (i % size < size / 2) put_in_order(items[i], items[i + size / 2], order);
    }
  }
#pragma unroll
  for (int first = 0; first < count; first += odd) sort_in_lane<odd>(items, first, order);
}

// Compare-exchanges each item with that of the lane `distance` away: in every 2 * distance lanes,
// the items that come first gather in the lower half.
template <int count, typename Item, typename Order>
__device__ inline void split_halves(Item (&items)[count], int distance, lane_mask members,
                                    const Order& order) {
  const bool keeps_first = (lane_id() & distance) == 0;
#pragma unroll
  for (int i = 0; i < count; ++i) {
    items[i] =
        kept<count == 1>(items[i], from_partner(members, items[i], distance), keeps_first, order);
  }
}

// The same for two sorted halves of `size` lanes. The second is read backwards, which makes the two
// together bitonic.
template <int count, typename Item, typename Order>
__device__ inline void fold_halves(Item (&items)[count], int size, lane_mask members,
                                   const Order& order) {
  const bool keeps_first = (lane_id() & size / 2) == 0;
  Item others[count];
#pragma unroll
  for (int i = 0; i < count; ++i) {
    others[i] = from_partner(members, items[count - 1 - i], size - 1);
  }
#pragma unroll
  for (int i = 0; i < count; ++i)
    items[i] = kept<count == 1>(items[i], others[i], keeps_first, order);
}

// Sorts the items of each tile of `width` lanes, with consecutive items in each lane. All
// comparisons point the same way, so a lane needs one predicate for each bit of its number.
template <int width, int count, typename Item, typename Order>
__device__ inline void sort_tiles(Item (&items)[count], lane_mask members, const Order& order) {
  sort_in_lane<count>(items, 0, order);
  // Before each step every aligned block of size / 2 lanes is sorted.
#pragma unroll
  for (int size = 2; size <= width; size *= 2) {
    fold_halves(items, size, members, order);
#pragma unroll
    for (int distance = size / 4; distance > 0; distance /= 2) {
      split_halves(items, distance, members, order);
    }
    merge_in_lane(items, order);
  }
}

// Merges two sorted tiles of `width` lanes, the second given backwards: keeps the first `width`
// items, sorted.
template <int width, typename Item, typename Order>
__device__ inline Item keep_first(const Item& sorted, const Item& sorted_backwards,
                                  lane_mask members, const Order& order) {
  Item items[1] = {kept<true>(sorted, sorted_backwards, true, order)};
#pragma unroll
  for (int distance = width / 2; distance > 0; distance /= 2) {
    split_halves(items, distance, members, order);
  }
  return items[0];
}

}  // namespace heddle::warp::detail
