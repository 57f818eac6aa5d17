// The items of bitonic networks, which are keys with or without a load, and their orders.
#pragma once
#include <heddle/core/ordering.cuh>
#include <heddle/core/words.cuh>

#include <cstdint>
#include <limits>
#include <type_traits>

namespace heddle::warp::detail {

using heddle::detail::words_of;

// A key and the load that travels with it.
template <typename Key, typename Load>
struct loaded {
  Key key;
  Load load;
};

// Orders of a network's items. An order is total if items that compare equal have the same bits.

// Integers, compared as they are.
struct by_code {
  static constexpr bool is_total = true;
  template <typename Code>
  __device__ bool operator()(const Code& a, const Code& b) const {
    return a < b;
  }
};

// Codes with a load that breaks ties.
struct by_code_and_load {
  static constexpr bool is_total = true;
  template <typename Item>
  __device__ bool operator()(const Item& a, const Item& b) const {
    const bool load_is_less = a.load < b.load;  // unconditionally: a branch would cost more
    return (load_is_less && a.key <= b.key) || a.key < b.key;
  }
};

// Keys, with or without a load; the load is not compared.
template <typename Before>
struct by_key {
  static constexpr bool is_total = false;
  Before before;
  template <typename Item>
  __device__ bool operator()(const Item& a, const Item& b) const {
    return before(a, b);
  }
  template <typename Key, typename Load>
  __device__ bool operator()(const loaded<Key, Load>& a, const loaded<Key, Load>& b) const {
    return before(a.key, b.key);
  }
};

// Keys with a load that breaks ties; no two loads are equal.
template <typename Before>
struct by_key_and_load {
  static constexpr bool is_total = true;
  Before before;
  template <typename Item>
  __device__ bool operator()(const Item& a, const Item& b) const {
    const bool a_is_first = before(a.key, b.key);
    const bool b_is_first = before(b.key, a.key);
    return a_is_first || (!b_is_first && a.load < b.load);
  }
};

// The same for keys that may be missing: items with the load `missing` come last.
inline constexpr std::uint32_t missing = ~std::uint32_t{0};
template <typename Before>
struct by_key_and_load_if_there {
  static constexpr bool is_total = true;
  Before before;
  template <typename Item>
  __device__ bool operator()(const Item& a, const Item& b) const {
    if (a.load == missing || b.load == missing) return a.load < b.load;
    return by_key_and_load<Before>{before}(a, b);
  }
};

// Packs a key and a 32-bit load into an item of a network, and gives the order of the items:
// `Order`, unless the keys have codes.
template <typename Key, typename Before, typename Order>
struct keyed {
  using item = loaded<Key, std::uint32_t>;
  __device__ static item make(const Key& key, std::uint32_t load) { return {key, load}; }
  __device__ static item make_missing(const Key& key) { return {key, missing}; }
  __device__ static Key key(const item& packed) { return packed.key; }
  __device__ static std::uint32_t load(const item& packed) { return packed.load; }
  __device__ static Order order(const Before& before) { return Order{before}; }
};

// Codes of 8 bytes, next to their load.
template <typename Key, typename Before, typename Order>
requires(orders_by_code<Before, Key> && sizeof(Key) == 8) struct keyed<Key, Before, Order> {
  using code = order_code<Key>;
  using item = loaded<code, std::uint32_t>;
  __device__ static item make(const Key& key, std::uint32_t load) {
    return {Before::code(key), load};
  }
  static constexpr code last = std::numeric_limits<code>::max();
  __device__ static item make_missing(const Key&) { return {last, missing}; }
  __device__ static Key key(const item& packed) { return Before::template number<Key>(packed.key); }
  __device__ static std::uint32_t load(const item& packed) { return packed.load; }
  __device__ static by_code_and_load order(const Before&) { return {}; }
};

// Smaller codes, above their load in one integer. Codes of up to 2 bytes leave 16 bits for the
// load.
template <typename Key, typename Before, typename Order>
requires(orders_by_code<Before, Key> && sizeof(Key) <= 4) struct keyed<Key, Before, Order> {
  using code = order_code<Key>;
  using wide = std::conditional_t<std::is_signed_v<code>, std::int64_t, std::uint64_t>;
  using item = std::conditional_t<sizeof(Key) <= 2, code, wide>;
  static constexpr int load_bits = sizeof(Key) <= 2 ? 16 : 32;
  __device__ static item make(const Key& key, std::uint32_t load) {
    return static_cast<item>(static_cast<item>(Before::code(key)) << load_bits |
                             static_cast<item>(load));
  }
  static constexpr item last = std::numeric_limits<item>::max();
  __device__ static item make_missing(const Key&) { return last; }
  __device__ static Key key(const item& packed) {
    return Before::template number<Key>(static_cast<code>(packed >> load_bits));
  }
  __device__ static std::uint32_t load(const item& packed) {
    return static_cast<std::uint32_t>(packed) & (missing >> (32 - load_bits));
  }
  __device__ static by_code order(const Before&) { return {}; }
};

// Codes of 4 bytes next to a load that is not compared, for one item per lane. If the codes are
// equal, each lane keeps its own load.
struct by_code_alone {
  static constexpr bool is_total = false;
  template <typename Item>
  __device__ bool operator()(const Item& a, const Item& b) const {
    return a.key < b.key;
  }
};
template <typename Key, typename Before>
struct keyed_apart {
  using code = order_code<Key>;
  using item = loaded<code, std::uint32_t>;
  __device__ static item make(const Key& key, std::uint32_t load) {
    return {Before::code(key), load};
  }
  __device__ static Key key(const item& packed) { return Before::template number<Key>(packed.key); }
  __device__ static std::uint32_t load(const item& packed) { return packed.load; }
  __device__ static by_code_alone order(const Before&) { return {}; }
};

// The form of `count` pairs per lane if the load need not break ties.
template <int count, typename Key, typename Before>
using keyed_for_pairs =
    std::conditional_t<count == 1 && orders_by_code<Before, Key> && sizeof(Key) == 4,
                       keyed_apart<Key, Before>, keyed<Key, Before, by_key<Before>>>;

// Whether a value can be the load of such an item.
template <typename Key, typename Before, typename Value>
inline constexpr bool fits_as_load = sizeof(Value) <=
                                     (orders_by_code<Before, Key> && sizeof(Key) <= 2 ? 2 : 4);

template <typename Value>
__device__ inline std::uint32_t as_load(const Value& value) {
  return words_of<Value>(value).words[0];
}
template <typename Value>
__device__ inline Value from_load(std::uint32_t load) {
  words_of<Value> word;
  word.words[0] = load;
  return word.value();
}

}  // namespace heddle::warp::detail
