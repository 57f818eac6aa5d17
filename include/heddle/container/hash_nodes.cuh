// A hash table for keys and values that do not fit in one word: slots hold keys, nodes hold values.
//   strategy    compare-and-swap claims a key; values are in nodes, published with a version
//   needs       sm_75
#pragma once
#include <heddle/container/free_bits.cuh>
#include <heddle/container/hash_words.cuh>
#include <heddle/container/memory.cuh>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace heddle::container::detail {

// A slot is a key and a state: the version of its value and the node that holds it, or none. A
// writer fills a node that nobody else knows and publishes it by exchanging the state. A reader
// loads the state again after the value: if it has not changed, the node was not reused meanwhile.
// A claimed key stays in its slot until the next epoch begins (sweep_slot()), whether it has a
// value or not; until then no slot becomes free.
//   order       synchronises no other memory
//   progress    lock-free: a lane that stops keeps one node
//   limits      a lane that stops inside a search while the same key is changed 2^32 times may
//               mistake a changed value for an unchanged one
template <typename Key, typename Value, int bucket_slots, probing how>
class node_table_view {
 public:
  using bits = sync::detail::bits_of<Key>;
  static constexpr int slots_of_bucket = bucket_slots;
  static constexpr probing way = how;
  static constexpr bool sweeps = true;
  static constexpr int reserved_count = 2;

  // A reserved key.
  [[nodiscard]] __device__ bits marker() const { return reserved_.empty; }
  [[nodiscard]] __device__ bool is_reserved(bits key) const {
    return reserved_.template contain<reserved_count>(key);
  }

  // Lanes always work alone; `in_pairs` is ignored.
  template <bool in_pairs = false, int count>
  __device__ void insert(const bits (&keys)[count], const Value (&values)[count],
                         const bool (&wanted)[count], bool assigns,
                         insertion (&answers)[count]) const {
    for (int i = 0; i < count; ++i) {
      if (wanted[i]) answers[i] = insert_one(keys[i], values[i], assigns);
    }
  }
  template <bool in_pairs = false, int count>
  __device__ void find(const bits (&keys)[count], const bool (&wanted)[count],
                       Value (&values)[count], bool (&found)[count]) const {
    for (int i = 0; i < count; ++i) {
      found[i] = false;
      if (!wanted[i]) continue;
      const place at = search(keys[i], bucket_way<how>::of(keys[i], buckets_).bucket);
      if (at.is_match) found[i] = read(slots_ + at.slot, values[i]);
    }
  }
  __device__ bool erase(bits key) const {
    const place at = search(key, bucket_way<how>::of(key, buckets_).bucket);
    if (!at.is_match) return false;
    state seen = sync::load(&slots_[at.slot].value);
    while (has_node(seen)) {
      const state held = sync::compare_exchange(&slots_[at.slot].value, seen, changed(seen, 0));
      if (held == seen) {
        ask_for_sweep();
        free_.give_back_one(node_of(seen));
        return true;
      }
      seen = held;
    }
    return false;
  }

  [[nodiscard]] __host__ __device__ std::size_t slot_count() const {
    return std::size_t{buckets_} * bucket_slots;
  }
  // A part is the slot and the part of the free nodes with that number, where they exist. Nodes
  // below the number of slots belong to slots that were never used; the others are free.
  [[nodiscard]] __host__ __device__ std::size_t part_count() const {
    return slot_count() > free_.part_count() ? slot_count() : free_.part_count();
  }
  __device__ void clear_part(std::size_t part) const {
    const std::size_t slots = slot_count();
    if (part < slots) slots_[part] = {reserved_.empty, 0};
    if (part < free_.part_count()) {
      free_.lay_out_part(static_cast<std::uint32_t>(part), static_cast<std::uint32_t>(slots));
    }
  }
  // Called when nothing else is in flight.
  __device__ void sweep_slot(std::size_t slot) const {
    if (!has_node(slots_[slot].value) && !is_reserved(static_cast<bits>(slots_[slot].key))) {
      slots_[slot].key = reserved_.erased;
    }
  }
  [[nodiscard]] __device__ bool read_slot(std::size_t slot, bits& key, Value& value) const {
    key = static_cast<bits>(slots_[slot].key);
    return !is_reserved(key) && read(slots_ + slot, value);
  }
  // Also true for keys that stay in their slots without a value until the next epoch.
  [[nodiscard]] __device__ bool was_erased(std::size_t slot) const {
    return slots_[slot].key != reserved_.empty && !has_node(slots_[slot].value);
  }
  [[nodiscard]] __device__ table_head* head() const { return head_; }
  [[nodiscard]] __host__ __device__ std::uint32_t bucket_count() const { return buckets_; }

  // The steps of tidy(), in order. A slot that was used no longer owns the node of its number; a
  // version other than 0 marks that.
  __device__ void forget_ways(std::uint32_t bucket) const { passed_.forget(bucket); }
  // Moves an element to an erased slot earlier in its probe sequence, if there is one. Other
  // threads do the same concurrently. One of them may have moved a key into this slot but not yet
  // its value: that key needs no further move.
  __device__ void move_home(std::size_t slot) const {
    const auto key = static_cast<bits>(sync::load(&slots_[slot].key));
    const state held = sync::load_acquire(&slots_[slot].value);
    if (is_reserved(key) || !has_node(held)) return;
    const auto takes_slot_of = [&](std::uint32_t bucket) {
      for (int i = 0; i < bucket_slots; ++i) {
        struct slot* const earlier = slots_ + std::size_t{bucket} * bucket_slots + i;
        if (sync::load(&earlier->key) != reserved_.erased) continue;
        if (sync::compare_exchange(&earlier->key, reserved_.erased, key) != reserved_.erased) {
          continue;
        }
        sync::fence();  // after the value store of the thread that vacated the slot
        sync::store_release(&earlier->value, held);
        sync::store(&slots_[slot].value, changed(held, 0));
        sync::store_release(&slots_[slot].key, reserved_.erased);
        return true;
      }
      return false;
    };
    way_from(slot, key, takes_slot_of);
  }
  __device__ void mark_way(std::size_t slot) const {
    if (!has_node(slots_[slot].value)) return;
    way_from(slot, static_cast<bits>(slots_[slot].key),
             [this](std::uint32_t bucket) { return passed_.mark(bucket), false; });
  }
  __device__ void tidy_bucket(std::uint32_t at) const {
    if (passed_.contain(at)) return;
    slot* const slots = slots_ + std::size_t{at} * bucket_slots;
    int kept = 0, used = 0;
    for (int i = 0; i < bucket_slots; ++i) {
      const slot held = slots[i];
      if (held.key != reserved_.empty || held.value != 0) ++used;
      if (has_node(held.value)) slots[kept++] = held;
    }
    for (; kept < used; ++kept) slots[kept] = {reserved_.empty, changed(0, 0)};
  }

  static std::size_t bytes(std::size_t buckets, std::size_t spares) {
    return layout(buckets, spares).bytes;
  }
  static node_table_view over(std::byte* memory, std::uint32_t buckets, std::size_t spares,
                              const reserved_bits<bits>& reserved) {
    const layout at(buckets, spares);
    node_table_view view;
    view.head_ = reinterpret_cast<table_head*>(memory + at.head);
    view.slots_ = reinterpret_cast<slot*>(memory + at.slots);
    view.nodes_ = reinterpret_cast<node*>(memory + at.nodes);
    view.free_ = free_bits_view(reinterpret_cast<std::uint32_t*>(memory + at.free_words),
                                reinterpret_cast<unsigned long long*>(memory + at.hints),
                                static_cast<std::uint32_t>(at.hint_count),
                                static_cast<std::uint32_t>(at.node_count));
    view.passed_ = passed_buckets(memory + at.passed);
    view.buckets_ = buckets;
    view.reserved_ = reserved;
    return view;
  }

 private:
  using state = unsigned long long;
  struct alignas(16) slot {
    unsigned long long key;
    state value;
  };
  static constexpr int words_ = (sizeof(Value) + 7) / 8;
  struct alignas(8 * words_) node {
    unsigned long long words[words_];
  };
  // Where the parts begin.
  struct layout {
    std::size_t node_count, hint_count;
    std::size_t head, slots, nodes, hints, free_words, passed, bytes;

    layout(std::size_t buckets, std::size_t spares) {
      const std::size_t slot_count = buckets * bucket_slots;
      node_count = slot_count + spares;
      // One for each lane that may hold a spare node; none if searching all nodes is quick.
      hint_count = slot_count < 1024 ? 0 : std::bit_floor(spares);
      memory_plan plan;
      head = plan.place_of<table_head>(1);
      slots = plan.place_of<slot>(slot_count);
      nodes = plan.place_of<node>(node_count);
      hints = plan.place_of<unsigned long long>(hint_count);
      free_words = plan.place_of<std::uint32_t>((node_count - 1) / nodes_of_word + 1);
      passed = plan.place_of<std::uint32_t>(passed_buckets::bytes(buckets) / 4);
      bytes = plan.bytes();
    }
  };
  static constexpr std::uint32_t no_node_ = ~std::uint32_t{0};

  // Node i is stored as i + 1, none as 0.
  __device__ static bool has_node(state seen) { return static_cast<std::uint32_t>(seen) != 0; }
  __device__ static std::uint32_t node_of(state seen) {
    return static_cast<std::uint32_t>(seen) - 1;
  }
  __device__ static state changed(state seen, std::uint32_t node_or_none) {
    return ((seen >> 32) + 1) << 32 | node_or_none;
  }

  // Visits the buckets that come before the slot in the key's probe sequence.
  template <typename Visit>
  __device__ void way_from(std::size_t slot, bits key, const Visit& visit) const {
    bucket_way<how>::of(key, buckets_)
        .any_before(static_cast<std::uint32_t>(slot / bucket_slots), buckets_, visit);
  }

  // A key's slot, or the first free one; neither if the table is full.
  struct place {
    std::size_t slot;
    std::uint32_t bucket;
    bool is_match, is_free, is_empty;
  };
  __device__ place search(bits key, std::uint32_t from) const {
    const bucket_way<how> way = bucket_way<how>::of(key, buckets_);
    place found{0, from, false, false, false};
    std::uint32_t at = from;
    for (std::uint32_t left = buckets_; left > 0; --left) {
      unsigned long long seen[bucket_slots];
#pragma unroll
      for (int i = 0; i < bucket_slots; ++i) {
        seen[i] = sync::load(&slots_[std::size_t{at} * bucket_slots + i].key);
      }
      for (int i = 0; i < bucket_slots; ++i) {
        const std::size_t slot = std::size_t{at} * bucket_slots + static_cast<unsigned>(i);
        if (seen[i] == key) return {slot, at, true, false, false};
        const bool is_empty = seen[i] == reserved_.empty;
        if (!found.is_free && (is_empty || seen[i] == reserved_.erased)) {
          found = {slot, at, false, true, is_empty};
        }
        if (is_empty) return found;
      }
      at = way.after(at, buckets_);
    }
    return found;
  }

  __device__ insertion insert_one(bits key, const Value& value, bool assigns) const {
    std::uint32_t from = bucket_way<how>::of(key, buckets_).bucket;
    for (;;) {
      const place at = search(key, from);
      if (at.is_match) return put(slots_ + at.slot, no_node_, value, assigns);
      if (!at.is_free) return insertion::full;
      const unsigned long long expected = at.is_empty ? reserved_.empty : reserved_.erased;
      // While a slot is empty, its state does not change.
      const bool has_own_node =
          at.is_empty && (head_->was_tidied == 0 || sync::load(&slots_[at.slot].value) == 0);
      const auto held = sync::compare_exchange(&slots_[at.slot].key, expected, key);
      if (held == expected) {
        // The node of a never-used slot belongs to the lane that claims the slot.
        const auto own = static_cast<std::uint32_t>(at.slot);
        return put(slots_ + at.slot, has_own_node ? own : no_node_, value, assigns);
      }
      if (held == key) return put(slots_ + at.slot, no_node_, value, assigns);
      from = at.bucket;
    }
  }

  // Gives the key of a slot a value, in `node` or in a newly taken one.
  __device__ insertion put(slot* at, std::uint32_t node, const Value& value, bool assigns) const {
    state seen = sync::load(&at->value);
    for (bool is_written = false;;) {
      if (has_node(seen) && !assigns) {
        if (node != no_node_) free_.give_back_one(node);
        return insertion::present;
      }
      if (node == no_node_) {
        if (!free_.take_one(node)) {
          ask_for_sweep();  // the key stays without a value
          return insertion::full;
        }
      }
      if (!is_written) {
        write(node, value);
        sync::fence();  // also for exchanges that come later
        is_written = true;
      }
      const state held = sync::compare_exchange(&at->value, seen, changed(seen, node + 1));
      if (held == seen) {
        if (!has_node(seen)) return insertion::inserted;
        free_.give_back_one(node_of(seen));
        return insertion::present;
      }
      seen = held;
    }
  }

  __device__ void write(std::uint32_t node, const Value& value) const {
    unsigned long long words[words_] = {};
    std::memcpy(words, &value, sizeof(Value));
#pragma unroll
    for (int i = 0; i < words_; ++i) sync::store(nodes_[node].words + i, words[i]);
  }
  // Reads the value of a slot, never torn; false if there is none. If a word came from the node's
  // next owner, the second load of the state shows that the node was freed. For that the next owner
  // passes a fence between taking the node's bit and writing its first word, and the reader passes
  // one between its last word and the state.
  __device__ bool read(const slot* at, Value& value) const {
    state seen = sync::load_acquire(&at->value);
    while (has_node(seen)) {
      unsigned long long words[words_];
#pragma unroll
      for (int i = 0; i < words_; ++i) words[i] = sync::load(nodes_[node_of(seen)].words + i);
      sync::fence();
      const state again = sync::load_acquire(&at->value);
      if (again == seen) {
        std::memcpy(&value, words, sizeof(Value));
        return true;
      }
      seen = again;
    }
    return false;
  }

  __device__ void ask_for_sweep() const {
    if (sync::load(&head_->has_erased) == 0) sync::store(&head_->has_erased, 1);
  }

  table_head* head_ = nullptr;
  slot* slots_ = nullptr;
  node* nodes_ = nullptr;
  free_bits_view free_;
  passed_buckets passed_;
  std::uint32_t buckets_ = 0;
  reserved_bits<bits> reserved_{};
};

}  // namespace heddle::container::detail
