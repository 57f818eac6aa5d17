// A hash map for any number of lanes, without locks.
//   strategy    open addressing in buckets of one sector, two of which lie together, double
//               hashing; a slot changes by one compare-and-swap; equal keys of a warp are one
//               operation
//   needs       sm_75
#pragma once
#include <heddle/container/hash_nodes.cuh>
#include <heddle/container/hash_table.cuh>
#include <heddle/container/hash_words.cuh>

#include <cstddef>
#include <type_traits>

namespace heddle::container {
namespace detail {

// Key and value in one word where they fit, else values in nodes.
template <typename Key, typename Value>
inline constexpr bool is_one_word = sizeof(Key) == 4 && sizeof(Value) <= 4;

template <typename Key, typename Value, int bucket_slots, probing how>
using map_table =
    std::conditional_t<is_one_word<Key, Value>,
                       word_table_view<pair_word<Key, Value>, Value, bucket_slots, how>,
                       node_table_view<Key, Value, bucket_slots, how>>;

}  // namespace detail

// What kernels get of a hash_map. It is copied freely, and lives no longer than the map and than
// its next rehash().
//   order       linearizable: each call takes effect at one moment between its begin and its end.
//               Who finds a value sees all of it, and no other memory of who has inserted it.
//   progress    lock-free: a lane that stops for ever in the middle of an operation stops nobody
//   full        is an answer: no slot of the table is free. The slot of an erased key is free after
//               the next settle() of the map, and not before. If values are in nodes, an insertion
//               that is under way may have a slot already, and a key that was erased and comes back
//               has its slot still.
//   reserved    keys (see reserved_keys) must not be passed; without checks of preconditions they
//               are refused and never there
template <typename Key, typename Value, int bucket_slots = 4,
          probing how = probing::neighbour_first>
class hash_map_view {
 public:
  // Inserts a key unless it is there.
  //   called by   single lanes, in any number
  //   result      `inserted` for exactly one of those that insert a key at the same time
  //   cost        key and value in one word: a bucket and an exchange; else one exchange, one node
  //               and a fence more
  [[nodiscard]] __device__ insertion insert(const Key& key, const Value& value) const {
    return detail::insert_one(table_, detail::key_bits(key), value, false);
  }
  // The same, and gives a key that is there the new value.
  [[nodiscard]] __device__ insertion insert_or_assign(const Key& key, const Value& value) const {
    return detail::insert_one(table_, detail::key_bits(key), value, true);
  }
  // False, and `value` is left alone, if the key is not there.
  //   cost        a bucket for each step of the way: of 4 slots on average 1.6 for keys that are
  //               there and 5 for others at load 0.9, of which 1.2 and 2.9 come from memory of
  //               their own; 1.05 and 1.2 at load 0.5, of which 1.01 and 1.06
  [[nodiscard]] __device__ bool find(const Key& key, Value& value) const {
    return detail::find_one(table_, detail::key_bits(key), value);
  }
  [[nodiscard]] __device__ bool contains(const Key& key) const {
    Value value;
    return detail::find_one(table_, detail::key_bits(key), value);
  }
  // True in one lane of those that erase a key; false if it is not there.
  __device__ bool erase(const Key& key) const {
    return detail::erase_one(table_, detail::key_bits(key));
  }

  // The same for many lanes at once: equal keys are one operation.
  //   called by   every lane of `members`; those that want it take part
  //   result in   those lanes, as if they had come in lane order: of equal keys the value of the
  //               first lane is inserted and that of the last one assigned, and the first one is
  //               told `inserted`, or true
  [[nodiscard]] __device__ insertion insert(const Key& key, const Value& value, bool wants,
                                            lane_mask members) const {
    return detail::insert_together(table_, detail::key_bits(key), value, false, wants, members);
  }
  [[nodiscard]] __device__ insertion insert_or_assign(const Key& key, const Value& value,
                                                      bool wants, lane_mask members) const {
    return detail::insert_together(table_, detail::key_bits(key), value, true, wants, members);
  }
  __device__ bool erase(const Key& key, bool wants, lane_mask members) const {
    return detail::erase_together(table_, detail::key_bits(key), wants, members);
  }

 private:
  template <typename, typename, int, probing>
  friend class hash_map;

  detail::map_table<Key, Value, bucket_slots, how> table_;
};

// A hash map in device memory.
//   called by   one host thread at a time, with the device current on which it was made; it can be
//               moved and not copied. All calls are in the order of their stream, and asynchronous
//               but for size() and rehash().
//   memory      8 bytes for each slot if key and value fit one word, and 9 from 2^25 slots on, in
//               which arrays of keys are sorted before they are inserted; else 24, or 32 for values
//               of more than 8 bytes, and three bits; besides, up to 24 bytes for each lane that
//               the device runs at a time
//   epochs      The slot of an erased key is free for others from the next epoch on, which
//               settle(), insert() and insert_or_assign() of the host begin. Nothing else may be
//               under way on the map when they start, nor while clear(), tidy() and rehash() run,
//               in no stream.
//   erasing     leaves ways as long as they were: they end where a slot was never used. When most
//               slots have been, who looks for a key that is not there, or inserts one, goes
//               through much of the table; erased() tells how many there are, and tidy() makes ways
//               short again.
//   bucket_slots, how   for the speed alone: a bucket of 4 words is one sector of memory
template <typename Key, typename Value, int bucket_slots = 4,
          probing how = probing::neighbour_first>
class hash_map {
  static_assert(detail::is_hash_key<Key>,
                "a key has 4 or 8 bytes without gaps between its members");
  static_assert(std::is_trivially_copyable_v<Value> && sizeof(Value) <= 16,
                "a value is trivially copyable and has at most 16 bytes");

 public:
  // What kernels get; and whether key and value are one word, so that no nodes are needed.
  using view_type = hash_map_view<Key, Value, bucket_slots, how>;
  static constexpr bool is_one_word = detail::is_one_word<Key, Value>;

  // With at least `slots` slots, ready for what comes later in `stream`. Ways are short up to a
  // load of 0.9; all of the slots can be used.
  // Throws heddle::error for no slots or more than 2^31, for reserved keys that are the same, and
  // where memory does not suffice.
  explicit hash_map(std::size_t slots, cudaStream_t stream = nullptr,
                    const reserved_keys<Key>& reserved = reserved_keys<Key>::largest(),
                    source_location where = source_location::current())
      : table_(slots, reserved, stream, where) {}
  // For `elements` at that load, above 0 and at most 1.
  [[nodiscard]] static hash_map for_elements(
      std::size_t elements, double load = 0.8, cudaStream_t stream = nullptr,
      const reserved_keys<Key>& reserved = reserved_keys<Key>::largest(),
      source_location where = source_location::current()) {
    return hash_map(detail::slots_for(elements, load, where), stream, reserved, where);
  }

  // What kernels get. It lives as long as the map is not rehashed or gone.
  [[nodiscard]] view_type view() const noexcept {
    view_type made;
    made.table_ = table_.table();
    return made;
  }
  // In slots: the next number of buckets that is twice a prime.
  [[nodiscard]] std::size_t capacity() const noexcept { return table_.capacity(); }

  // Forgets all elements.
  void clear(cudaStream_t stream = nullptr, source_location where = source_location::current()) {
    table_.clear(stream, where);
  }
  // Begins an epoch: the slots of keys that were erased before are free.
  //   cost        a kernel of one thread; a look at all slots if values are in nodes and something
  //               was erased
  void settle(cudaStream_t stream = nullptr, source_location where = source_location::current()) {
    table_.settle(stream, where);
  }
  // Begins an epoch and makes ways short again: where no element lies behind a bucket, slots of
  // erased keys are as new. Views stay as they are.
  //   cost        two looks at all slots, and a bit for each bucket that an element lies behind
  void tidy(cudaStream_t stream = nullptr, source_location where = source_location::current()) {
    table_.tidy(stream, where);
  }

  // All keys of an array in device memory, as the view's functions do it for one; `answers`, an
  // array in device memory, may be missing. If a key comes several times, one of its values is
  // taken, and one of its answers is `inserted`.
  template <bulk_settings settings = bulk_settings{}>
  void insert(const Key* keys, const Value* values, std::size_t count, insertion* answers = nullptr,
              cudaStream_t stream = nullptr, source_location where = source_location::current()) {
    table_.template insert<settings>(keys, values, count, false, answers, stream, where);
  }
  template <bulk_settings settings = bulk_settings{}>
  void insert_or_assign(const Key* keys, const Value* values, std::size_t count,
                        insertion* answers = nullptr, cudaStream_t stream = nullptr,
                        source_location where = source_location::current()) {
    table_.template insert<settings>(keys, values, count, true, answers, stream, where);
  }
  // Values of keys that are not there are left alone; `values` or `found` may be missing.
  template <bulk_settings settings = bulk_settings{}>
  void find(const Key* keys, std::size_t count, Value* values, bool* found = nullptr,
            cudaStream_t stream = nullptr,
            source_location where = source_location::current()) const {
    table_.template find<settings>(keys, count, values, found, stream, where);
  }
  void erase(const Key* keys, std::size_t count, bool* answers = nullptr,
             cudaStream_t stream = nullptr, source_location where = source_location::current()) {
    table_.erase(keys, count, answers, stream, where);
  }

  // Calls visit(key, value), a function of the device, once for each element, in no order. Nobody
  // changes the map meanwhile.
  template <typename Visit>
  void for_each(const Visit& visit, cudaStream_t stream = nullptr,
                source_location where = source_location::current()) const {
    table_.for_each(visit, stream, where);
  }
  // How many elements there are; waits for the stream. Nobody changes the map meanwhile.
  //   cost        a look at all slots
  [[nodiscard]] std::size_t size(cudaStream_t stream = nullptr,
                                 source_location where = source_location::current()) const {
    return table_.size(stream, where);
  }
  // How many slots erased keys have left behind, free or not; waits for the stream. Worth a tidy()
  // when it is a fourth of the slots. Nobody changes the map meanwhile.
  //   cost        a look at all slots
  [[nodiscard]] std::size_t erased(cudaStream_t stream = nullptr,
                                   source_location where = source_location::current()) const {
    return table_.erased(stream, where);
  }
  // Moves all elements to a table of at least `slots` slots, larger or smaller; waits for the
  // stream. Views of before are void.
  // Throws heddle::error if they do not fit or memory does not suffice, and has changed nothing
  // then.
  void rehash(std::size_t slots, cudaStream_t stream = nullptr,
              source_location where = source_location::current()) {
    table_.rehash(slots, stream, where);
  }

 private:
  detail::hash_table<detail::map_table<Key, Value, bucket_slots, how>, Key, Value> table_;
};

}  // namespace heddle::container
