// A lock-free hash set for any number of lanes.
//   strategy    as for hash_map
//   needs       sm_75
#pragma once
#include <heddle/container/hash_container.cuh>
#include <heddle/container/hash_words.cuh>

#include <cstddef>
#include <type_traits>

namespace heddle::container {
namespace detail {

template <typename Key, int bucket_slots, probing how>
using set_table =
    word_table_view<std::conditional_t<sizeof(Key) == 4, pair_word<Key, no_value>, key_word<Key>>,
                    no_value, bucket_slots, how>;

}  // namespace detail

// The handle that kernels use for a hash_set. Freely copyable; valid until the set is destroyed or
// rehashed. Order, progress, full and reserved keys are as for hash_map_view.
template <typename Key, int bucket_slots = 4, probing how = probing::neighbour_first>
class hash_set_view
    : public hash_container_view<detail::set_table<Key, bucket_slots, how>, Key, detail::no_value> {
 public:
  // Inserts a key unless it is present.
  //   called by   single lanes, any number of them
  //   result      `inserted` for exactly one of the lanes that insert a key at the same time
  //   cost        a bucket and an exchange
  [[nodiscard]] __device__ insertion insert(const Key& key) const {
    return detail::insert_one(this->table_, detail::key_bits(key), detail::no_value{}, false);
  }

  // The same for many lanes at once: equal keys become one operation.
  //   called by   every lane of `members`; those with `wants` take part
  //   result in   those lanes; of equal keys only the first gets `inserted`
  [[nodiscard]] __device__ insertion insert(const Key& key, bool wants, lane_mask members) const {
    return detail::insert_together(this->table_, detail::key_bits(key), detail::no_value{}, false,
                                   wants, members);
  }
};

// A hash set in device memory: a hash_map without values, with the same rules for its calls.
//   memory      8 bytes per slot, and 9 from 2^25 slots on, as for hash_map
//   epochs      as for hash_map. With 8-byte keys, an erased slot that is not reused in the next
//               epoch is free only in every second epoch from then on.
template <typename Key, int bucket_slots = 4, probing how = probing::neighbour_first>
class hash_set
    : public hash_container<hash_set_view<Key, bucket_slots, how>,
                            detail::set_table<Key, bucket_slots, how>, Key, detail::no_value> {
 public:
  // Throws as hash_map does.
  explicit hash_set(std::size_t slots, cudaStream_t stream = nullptr,
                    const reserved_keys<Key>& reserved = reserved_keys<Key>::largest(),
                    source_location where = source_location::current())
      : hash_set::hash_container(slots, stream, reserved, where) {}
  [[nodiscard]] static hash_set for_elements(
      std::size_t elements, double load = 0.8, cudaStream_t stream = nullptr,
      const reserved_keys<Key>& reserved = reserved_keys<Key>::largest(),
      source_location where = source_location::current()) {
    return hash_set(detail::slots_for(elements, load, where), stream, reserved, where);
  }

  // For all keys of an array in device memory; `answers` may be null.
  template <bulk_settings settings = bulk_settings{}>
  void insert(const Key* keys, std::size_t count, insertion* answers = nullptr,
              cudaStream_t stream = nullptr, source_location where = source_location::current()) {
    this->table_.template insert<settings>(keys, nullptr, count, false, answers, stream, where);
  }
  template <bulk_settings settings = bulk_settings{}>
  void contains(const Key* keys, std::size_t count, bool* found, cudaStream_t stream = nullptr,
                source_location where = source_location::current()) const {
    this->table_.template find<settings>(keys, count, nullptr, found, stream, where);
  }
};

}  // namespace heddle::container
