// A lock-free hash map for any number of lanes.
//   strategy    open addressing with double hashing; a bucket is one sector, and pairs of buckets
//               are adjacent; one compare-and-swap changes a slot; equal keys of a warp become one
//               operation
//   needs       sm_75
#pragma once
#include <heddle/container/hash_container.cuh>
#include <heddle/container/hash_nodes.cuh>
#include <heddle/container/hash_words.cuh>

#include <cstddef>
#include <type_traits>

namespace heddle::container {
namespace detail {

// Key and value share one word if they fit; otherwise values are in nodes.
template <typename Key, typename Value>
inline constexpr bool is_one_word = sizeof(Key) == 4 && sizeof(Value) <= 4;

template <typename Key, typename Value, int bucket_slots, probing how>
using map_table =
    std::conditional_t<is_one_word<Key, Value>,
                       word_table_view<pair_word<Key, Value>, Value, bucket_slots, how>,
                       node_table_view<Key, Value, bucket_slots, how>>;

}  // namespace detail

// The handle that kernels use for a hash_map. Freely copyable; valid until the map is destroyed or
// rehashed.
//   order       linearizable: each call takes effect at one moment between its start and its end. A
//               caller that finds a value sees all of it, but not other memory that the inserting
//               lane wrote.
//   progress    lock-free: a lane that stops forever in the middle of an operation blocks nobody
//   full        is a result, not an error: no slot of the table is free. The slot of an erased key
//               becomes free at the next settle() of the map, not before. If values are in nodes,
//               an insertion in flight may already hold a slot, and an erased key that is inserted
//               again still has its old slot.
//   reserved    keys (see reserved_keys) are results too: insertions of them answer `refused`, and
//               they are never found
template <typename Key, typename Value, int bucket_slots = 4,
          probing how = probing::neighbour_first>
class hash_map_view
    : public hash_container_view<detail::map_table<Key, Value, bucket_slots, how>, Key, Value> {
 public:
  // Inserts a key unless it is present.
  //   called by   single lanes, any number of them
  //   result      `inserted` for exactly one of the lanes that insert a key at the same time
  //   cost        if key and value share one word, a bucket and an exchange; otherwise also a
  //               second exchange, a node and a fence
  [[nodiscard]] __device__ insertion insert(const Key& key, const Value& value) const {
    return detail::insert_one(this->table_, detail::key_bits(key), value, false);
  }
  // The same, but replaces the value of a key that is present.
  [[nodiscard]] __device__ insertion insert_or_assign(const Key& key, const Value& value) const {
    return detail::insert_one(this->table_, detail::key_bits(key), value, true);
  }
  // Returns false and leaves `value` unchanged if the key is not present.
  //   cost        one bucket per probe. With buckets of 4 slots, on average: at load 0.9, 1.6
  //               buckets for present keys and 5 for absent ones, with 1.2 and 2.9 waits for
  //               memory; at load 0.5, 1.05 and 1.2 buckets, with 1.01 and 1.06 waits
  [[nodiscard]] __device__ bool find(const Key& key, Value& value) const {
    return detail::find_one(this->table_, detail::key_bits(key), value);
  }

  // The same for many lanes at once: equal keys become one operation.
  //   called by   every lane of `members`; those with `wants` take part
  //   result in   those lanes, as if they had called in lane order: of equal keys, insert() takes
  //               the first lane's value, insert_or_assign() the last lane's, and only the first
  //               lane gets `inserted`
  [[nodiscard]] __device__ insertion insert(const Key& key, const Value& value, bool wants,
                                            lane_mask members) const {
    return detail::insert_together(this->table_, detail::key_bits(key), value, false, wants,
                                   members);
  }
  [[nodiscard]] __device__ insertion insert_or_assign(const Key& key, const Value& value,
                                                      bool wants, lane_mask members) const {
    return detail::insert_together(this->table_, detail::key_bits(key), value, true, wants,
                                   members);
  }
};

// A hash map in device memory.
//   called by   one host thread at a time, with the device current on which the map was made.
//               Movable, not copyable. All calls are stream-ordered, and asynchronous except for
//               size(), erased() and rehash().
//   memory      8 bytes per slot if key and value fit in one word, and 9 from 2^25 slots on, for
//               sorting arrays of keys before they are inserted; otherwise 24, or 32 for values of
//               more than 8 bytes, and less than two bits; also up to 24 bytes for each lane that
//               the device runs at a time
//   epochs      The slot of an erased key can be reused from the next epoch on. The host's
//               settle(), insert() and insert_or_assign() begin an epoch. No other operation on the
//               map may be in flight in any stream when these start, or while clear(), tidy() and
//               rehash() run.
//   erasing     does not shorten probe sequences: these end only at a slot that was never used.
//               When most slots have been used, searching for an absent key or inserting one goes
//               through much of the table. erased() counts the tombstones, and tidy() shortens
//               probe sequences again.
//   bucket_slots, how   affect only the speed: a bucket of 4 words is one memory sector
template <typename Key, typename Value, int bucket_slots = 4,
          probing how = probing::neighbour_first>
class hash_map
    : public hash_container<hash_map_view<Key, Value, bucket_slots, how>,
                            detail::map_table<Key, Value, bucket_slots, how>, Key, Value> {
  static_assert(std::is_trivially_copyable_v<Value> && sizeof(Value) <= 16,
                "a value is trivially copyable and has at most 16 bytes");

 public:
  // Whether key and value share one word, so that no nodes are needed.
  static constexpr bool is_one_word = detail::is_one_word<Key, Value>;

  // Makes a map with at least `slots` slots, ready for work that comes later in `stream`. Probe
  // sequences are short up to a load of 0.9; all slots can be used.
  // Throws heddle::error for 0 slots or more than 2^31, for equal reserved keys, and if there is
  // not enough memory.
  explicit hash_map(std::size_t slots, cudaStream_t stream = nullptr,
                    const reserved_keys<Key>& reserved = reserved_keys<Key>::largest(),
                    source_location where = source_location::current())
      : hash_map::hash_container(slots, stream, reserved, where) {}
  // Makes a map for `elements` elements at that load, above 0 and at most 1.
  [[nodiscard]] static hash_map for_elements(
      std::size_t elements, double load = 0.8, cudaStream_t stream = nullptr,
      const reserved_keys<Key>& reserved = reserved_keys<Key>::largest(),
      source_location where = source_location::current()) {
    return hash_map(detail::slots_for(elements, load, where), stream, reserved, where);
  }

  // Like the view's functions, for all keys of an array in device memory. `answers`, an array in
  // device memory, may be null. If a key occurs several times, one of its values is taken, and one
  // of its answers is `inserted`.
  template <bulk_settings settings = bulk_settings{}>
  void insert(const Key* keys, const Value* values, std::size_t count, insertion* answers = nullptr,
              cudaStream_t stream = nullptr, source_location where = source_location::current()) {
    this->table_.template insert<settings>(keys, values, count, false, answers, stream, where);
  }
  template <bulk_settings settings = bulk_settings{}>
  void insert_or_assign(const Key* keys, const Value* values, std::size_t count,
                        insertion* answers = nullptr, cudaStream_t stream = nullptr,
                        source_location where = source_location::current()) {
    this->table_.template insert<settings>(keys, values, count, true, answers, stream, where);
  }
  // Values of absent keys stay unchanged; `values` or `found` may be null.
  template <bulk_settings settings = bulk_settings{}>
  void find(const Key* keys, std::size_t count, Value* values, bool* found = nullptr,
            cudaStream_t stream = nullptr,
            source_location where = source_location::current()) const {
    this->table_.template find<settings>(keys, count, values, found, stream, where);
  }
};

}  // namespace heddle::container
