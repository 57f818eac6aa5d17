// What hash_map and hash_set have in common: all calls that neither take nor return values.
//   strategy    as for hash_map
//   needs       sm_75
#pragma once
#include <heddle/container/hash_table.cuh>
#include <heddle/container/hash_together.cuh>

#include <cstddef>

namespace heddle::container {

// The base of hash_map_view and hash_set_view. A set's elements are its keys.
template <typename Table, typename Key, typename Value>
class hash_container_view {
 public:
  // Whether the key is present.
  //   called by   single lanes, any number of them
  //   cost        one bucket per probe
  [[nodiscard]] __device__ bool contains(const Key& key) const {
    Value value;
    return detail::find_one(table_, detail::key_bits(key), value);
  }
  // True in exactly one of the lanes that erase a key; false if the key is not present.
  //   called by   single lanes, any number of them
  __device__ bool erase(const Key& key) const {
    return detail::erase_one(table_, detail::key_bits(key));
  }
  // The same for many lanes at once: equal keys become one operation.
  //   called by   every lane of `members`; those with `wants` take part
  //   result in   those lanes; of equal keys only the first gets true
  __device__ bool erase(const Key& key, bool wants, lane_mask members) const {
    return detail::erase_together(table_, detail::key_bits(key), wants, members);
  }

 protected:
  template <typename, typename, typename, typename>
  friend class hash_container;

  Table table_;  // the slots, with the calls that change them
};

// The base of hash_map and hash_set, whose rules apply: see there. `View` derives from
// hash_container_view<Table, Key, Value>.
template <typename View, typename Table, typename Key, typename Value>
class hash_container {
  static_assert(!std::is_floating_point_v<Key>,
                "keys are compared by their bits, in which equal floating-point numbers may differ "
                "(0 and -0): use the bits as the key, say __float_as_uint(number)");
  static_assert(std::is_floating_point_v<Key> || detail::is_hash_key<Key>,
                "a key has 4 or 8 bytes without gaps between its members");

 public:
  // The type of view().
  using view_type = View;

  // The handle for kernels. Valid until the container is rehashed or destroyed.
  [[nodiscard]] view_type view() const noexcept {
    view_type made;
    made.table_ = table_.table();
    return made;
  }
  // In slots. The number of buckets is rounded up to twice a prime.
  [[nodiscard]] std::size_t capacity() const noexcept { return table_.capacity(); }

  // Removes all elements.
  void clear(cudaStream_t stream = nullptr, source_location where = source_location::current()) {
    table_.clear(stream, where);
  }
  // Begins an epoch: the slots of previously erased keys become free.
  //   cost        a kernel of one thread; also a pass over all slots if values are in nodes and
  //               something was erased
  void settle(cudaStream_t stream = nullptr, source_location where = source_location::current()) {
    table_.settle(stream, where);
  }
  // Begins an epoch and shortens probe sequences: in buckets past which no element's probe sequence
  // goes, tombstones become unused slots again. Views stay valid.
  //   cost        up to three passes over all slots, and a bit for each bucket that an element's
  //               probe sequence passes
  void tidy(cudaStream_t stream = nullptr, source_location where = source_location::current()) {
    table_.tidy(stream, where);
  }

  // Like the view's function, for all keys of an array in device memory. `answers`, an array in
  // device memory, may be null.
  void erase(const Key* keys, std::size_t count, bool* answers = nullptr,
             cudaStream_t stream = nullptr, source_location where = source_location::current()) {
    table_.erase(keys, count, answers, stream, where);
  }

  // Calls `visit`, a device function, once for each element, in no particular order: visit(key,
  // value) for a map, visit(key) for a set. Nothing may change the container meanwhile.
  template <typename Visit>
  void for_each(const Visit& visit, cudaStream_t stream = nullptr,
                source_location where = source_location::current()) const {
    table_.for_each(visit, stream, where);
  }
  // The number of elements; waits for the stream. Nothing may change the container meanwhile.
  //   cost        a pass over all slots
  [[nodiscard]] std::size_t size(cudaStream_t stream = nullptr,
                                 source_location where = source_location::current()) const {
    return table_.size(stream, where);
  }
  // The number of tombstones, whether reusable already or not; waits for the stream. Once it
  // reaches a quarter of the slots, tidy() pays off. Nothing may change the container meanwhile.
  //   cost        a pass over all slots
  [[nodiscard]] std::size_t erased(cudaStream_t stream = nullptr,
                                   source_location where = source_location::current()) const {
    return table_.erased(stream, where);
  }
  // Moves all elements to a table of at least `slots` slots, larger or smaller; waits for the
  // stream. Invalidates earlier views.
  // Throws heddle::error if the elements do not fit or there is not enough memory; the container is
  // then unchanged.
  void rehash(std::size_t slots, cudaStream_t stream = nullptr,
              source_location where = source_location::current()) {
    table_.rehash(slots, stream, where);
  }

 protected:
  // Throws heddle::error for 0 slots or more than 2^31, for equal reserved keys, and if there is
  // not enough memory.
  hash_container(std::size_t slots, cudaStream_t stream, const reserved_keys<Key>& reserved,
                 source_location where)
      : table_(slots, reserved, stream, where) {}

  detail::hash_table<Table, Key, Value> table_;  // the memory, and the calls with values
};

}  // namespace heddle::container
