// A hash table whose slots are single words: every change is one compare-and-swap.
//   strategy    compare-and-swap of key and value in one word
//   needs       sm_75
#pragma once
#include <heddle/container/hash_bucket.cuh>
#include <heddle/container/hash_way.cuh>
#include <heddle/container/hash_word.cuh>
#include <heddle/core/lane.cuh>

#include <cstddef>
#include <cstdint>

namespace heddle::container::detail {

// The header of every table.
struct alignas(128) table_head {
  std::uint32_t epoch;       // changes only while nothing is in flight
  std::uint32_t has_erased;  // since the last epoch began; only in tables that sweep
  std::uint32_t was_tidied;  // an empty slot may have been used before
  unsigned long long count;  // scratch for size()
};

// An insertion takes the first free slot in the key's probe sequence. A slot that was erased
// becomes free only in a later epoch. Within an epoch no slot becomes free, so all lanes that
// insert a key arrive at the same slot, or at the key. A probe sequence ends at the first empty
// slot: a filled slot becomes empty only while nothing is in flight, and only if no present key's
// probe sequence goes past its bucket (tidy_bucket()).
//   order       relaxed accesses suffice: everything that matters happens at one slot. Synchronises
//               no other memory.
//   progress    lock-free: when an exchange fails, another lane has changed the slot
template <typename Word, typename Value, int bucket_slots, probing how>
class word_table_view {
 public:
  using content = Word;
  using value_type = Value;
  using word = typename Word::word;
  using bits = typename Word::bits;
  static constexpr int slots_of_bucket = bucket_slots;
  static constexpr probing way = how;
  static constexpr bool sweeps = false;

  // A reserved key.
  [[nodiscard]] __device__ bits marker() const { return reserved_.empty; }
  [[nodiscard]] __device__ bool is_reserved(bits key) const {
    return reserved_.template contain<Word::reserved>(key);
  }

  // Inserts those of the caller's `count` keys that are wanted, with all searches in flight at
  // once. Wanted keys must not be reserved.
  //   called by   single lanes; all lanes of a warp if they work in pairs
  //   assigns     whether to replace the values of keys that are present
  template <bool in_pairs = false, int count>
  __device__ void insert(const bits (&keys)[count], const Value (&values)[count],
                         const bool (&wanted)[count], bool assigns,
                         insertion (&answers)[count]) const {
    search searches[count];
#pragma unroll
    for (int i = 0; i < count; ++i) searches[i] = {way_of(keys[i]).bucket, nowhere_, 0, !wanted[i]};
    for (bool goes_on = true; goes_on;) {
      bucket seen[count];
      word held[count] = {};
      bool is_behind[count] = {};  // the search is over: the free slot can be filled
      std::uint32_t looked_at[count];
#pragma unroll
      for (int i = 0; i < count; ++i) {
        looked_at[i] = searches[i].is_done ? no_bucket : searches[i].bucket;
      }
      load<in_pairs>(looked_at, seen);
#pragma unroll
      for (int i = 0; i < count; ++i) {
        if (searches[i].is_done) continue;
        const word next = Word::filled(keys[i], values[i]);
        is_behind[i] = !goes_on_from(searches[i], seen[i], keys[i], next, assigns, answers[i]);
      }
#pragma unroll
      for (int i = 0; i < count; ++i) {
        if (!is_behind[i]) continue;
        const word next = Word::filled(keys[i], values[i]);
        held[i] = sync::compare_exchange(slots_ + searches[i].slot, searches[i].expected, next);
      }
      goes_on = false;
#pragma unroll
      for (int i = 0; i < count; ++i) {
        if (is_behind[i]) {
          const bool is_ours = held[i] == searches[i].expected;
          searches[i].is_done = is_ours || (Word::key(held[i]) == keys[i] && !assigns);
          answers[i] = is_ours ? insertion::inserted : insertion::present;
          if (!searches[i].is_done) searches[i].restart(way_of(keys[i]).bucket);
        }
        goes_on = goes_on || !searches[i].is_done;
      }
      if constexpr (in_pairs) goes_on = __any_sync(all_lanes, goes_on) != 0;
    }
  }

  // Looks for `count` keys of the caller, all at once; writes `values` where `found`.
  //   called by   single lanes; all lanes of a warp if they work in pairs
  template <bool in_pairs = false, int count>
  __device__ void find(const bits (&keys)[count], const bool (&wanted)[count],
                       Value (&values)[count], bool (&found)[count]) const {
    std::uint32_t at[count];
#pragma unroll
    for (int i = 0; i < count; ++i) {
      at[i] = wanted[i] ? way_of(keys[i]).bucket : no_bucket;
      found[i] = false;
    }
    for (bool goes_on = true; goes_on;) {
      bucket seen[count];
      load<in_pairs>(at, seen);
      goes_on = false;
#pragma unroll
      for (int i = 0; i < count; ++i) {
        if (at[i] == no_bucket) continue;
#pragma unroll
        for (int slot = 0; slot < bucket_slots; ++slot) {
          if (Word::key(seen[i].words[slot]) == keys[i]) {
            values[i] = Word::value(seen[i].words[slot]);
            found[i] = true;
          }
        }
        if (found[i] || ends_in(seen[i]) || !move_on(at[i], keys[i])) at[i] = no_bucket;
        goes_on = goes_on || at[i] != no_bucket;
      }
      if constexpr (in_pairs) goes_on = __any_sync(all_lanes, goes_on) != 0;
    }
  }

  // True if the caller has erased the key; false if it was not present.
  __device__ bool erase(bits key) const {
    std::uint32_t at = way_of(key).bucket;
    do {
      const bucket seen = bucket::load(slots_, at);
#pragma unroll
      for (int slot = 0; slot < bucket_slots; ++slot) {
        if (Word::key(seen.words[slot]) == key) {
          const word next = Word::erased(reserved_, head_->epoch);
          return replace(slots_ + first_slot(at) + slot, key, next);
        }
      }
      if (ends_in(seen)) return false;
    } while (move_on(at, key));
    return false;
  }

  // Access to single slots, for callers that have the table to themselves.
  [[nodiscard]] __host__ __device__ std::size_t slot_count() const { return first_slot(buckets_); }
  [[nodiscard]] __host__ __device__ std::size_t part_count() const { return slot_count(); }
  __device__ void clear_part(std::size_t slot) const { slots_[slot] = Word::empty(reserved_); }
  [[nodiscard]] __device__ bool read_slot(std::size_t slot, bits& key, Value& value) const {
    const word held = slots_[slot];
    key = Word::key(held);
    value = Word::value(held);
    return !is_reserved(key);
  }
  [[nodiscard]] __device__ bool was_erased(std::size_t slot) const {
    return Word::was_erased(slots_[slot], reserved_);
  }
  [[nodiscard]] __device__ table_head* head() const { return head_; }
  [[nodiscard]] __host__ __device__ std::uint32_t bucket_count() const { return buckets_; }

  // The steps of tidy(), in order.
  __device__ void forget_ways(std::uint32_t bucket) const { passed_.forget(bucket); }
  // Moves an element to an erased slot earlier in its probe sequence, if there is one. Other
  // threads do the same concurrently.
  __device__ void move_home(std::size_t slot) const {
    const word held = sync::load(slots_ + slot);
    if (is_reserved(Word::key(held))) return;
    const auto takes_slot_of = [&](std::uint32_t bucket) {
      for (int i = 0; i < bucket_slots; ++i) {
        word* const earlier = slots_ + first_slot(bucket) + i;
        const word left = sync::load(earlier);
        if (!Word::was_erased(left, reserved_)) continue;
        if (sync::compare_exchange(earlier, left, held) != left) continue;
        sync::store(slots_ + slot, left);
        return true;
      }
      return false;
    };
    way_of(Word::key(held)).any_before(bucket_of(slot), buckets_, takes_slot_of);
  }
  __device__ void mark_way(std::size_t slot) const {
    const bits key = Word::key(slots_[slot]);
    if (is_reserved(key)) return;
    way_of(key).any_before(bucket_of(slot), buckets_,
                           [this](std::uint32_t bucket) { return passed_.mark(bucket), false; });
  }
  __device__ void tidy_bucket(std::uint32_t at) const {
    if (passed_.contain(at)) return;
    word* const slots = slots_ + first_slot(at);
    int kept = 0;
    for (int i = 0; i < bucket_slots; ++i) {
      const word held = slots[i];
      if (!is_reserved(Word::key(held))) slots[kept++] = held;
    }
    for (; kept < bucket_slots; ++kept) slots[kept] = Word::empty(reserved_);
  }

  // The memory of a table, and a view of it.
  static std::size_t bytes(std::size_t buckets, std::size_t) {
    return sizeof(table_head) + buckets * bucket_slots * sizeof(word) +
           passed_buckets::bytes(buckets);
  }
  static word_table_view over(std::byte* memory, std::uint32_t buckets, std::size_t,
                              const reserved_bits<bits>& reserved) {
    word_table_view view;
    view.head_ = reinterpret_cast<table_head*>(memory);
    view.slots_ = reinterpret_cast<word*>(memory + sizeof(table_head));
    view.passed_ = passed_buckets(reinterpret_cast<std::byte*>(view.slots_ + first_slot(buckets)));
    view.buckets_ = buckets;
    view.reserved_ = reserved;
    return view;
  }
  static constexpr int reserved_count = Word::reserved;

 private:
  using bucket = word_bucket<bucket_slots>;
  static constexpr std::uint32_t nowhere_ = ~std::uint32_t{0};

  // The state of one key's insertion.
  struct search {
    std::uint32_t bucket;
    std::uint32_t slot;  // the first free one, or nowhere_
    word expected;       // its contents when it was seen
    bool is_done;

    __device__ void restart(std::uint32_t home) {
      bucket = home;
      slot = nowhere_;
    }
  };

  __device__ bucket_way<how> way_of(bits key) const { return bucket_way<how>::of(key, buckets_); }
  // Moves to the next bucket of a key's probe sequence; false after the last one. The sequence is
  // recomputed instead of kept, to save registers.
  __device__ bool move_on(std::uint32_t& at, bits key) const {
    const bucket_way<how> way = way_of(key);
    at = way.after(at, buckets_);
    return at != way.bucket;
  }

  // Searches the bucket that a search has reached. Returns false if the key is not in the table and
  // the free slot is to be filled.
  __device__ bool goes_on_from(search& one, const bucket& seen, bits key, word next, bool assigns,
                               insertion& answer) const {
    int match = -1, free = -1;
#pragma unroll
    for (int slot = bucket_slots - 1; slot >= 0; --slot) {
      if (Word::key(seen.words[slot]) == key) match = slot;
      if (is_free(seen.words[slot])) free = slot;
    }
    if (match >= 0) {
      answer = insertion::present;
      one.is_done = !assigns || replace(slots_ + first_slot(one.bucket) + match, key, next);
      if (!one.is_done) one.restart(way_of(key).bucket);
      return true;
    }
    if (free >= 0 && one.slot == nowhere_) {
      one.slot = static_cast<std::uint32_t>(first_slot(one.bucket)) + static_cast<unsigned>(free);
#pragma unroll
      for (int i = 0; i < bucket_slots; ++i) {
        if (i == free) one.expected = seen.words[i];  // keeps the bucket in registers
      }
    }
    if (!ends_in(seen) && move_on(one.bucket, key)) return true;
    if (one.slot != nowhere_) return false;
    answer = insertion::full;
    one.is_done = true;
    return true;
  }
  // Stores `next` in a key's slot if the key is still there, whatever its value is by then.
  __device__ bool replace(word* at, bits key, word next) const {
    word expected = sync::load(at);
    while (Word::key(expected) == key) {
      const word held = sync::compare_exchange(at, expected, next);
      if (held == expected) return true;
      expected = held;
    }
    return false;
  }

  __host__ __device__ static std::size_t first_slot(std::uint32_t bucket) {
    return word_bucket<bucket_slots>::first_slot(bucket);
  }
  __device__ static std::uint32_t bucket_of(std::size_t slot) {
    return static_cast<std::uint32_t>(slot / bucket_slots);
  }
  __device__ bool is_empty(word held) const { return Word::key(held) == reserved_.empty; }
  // Buckets fill up from their first slot, so a probe sequence ends in a bucket that is not full.
  __device__ bool ends_in(const bucket& seen) const {
    return is_empty(seen.words[bucket_slots - 1]);
  }
  __device__ bool is_free(word held) const {
    if (is_empty(held)) return true;
    return Word::was_erased(held, reserved_) &&
           Word::is_of_earlier_epoch(held, reserved_, head_->epoch);
  }
  template <bool in_pairs, int count>
  __device__ void load(const std::uint32_t (&at)[count], bucket (&seen)[count]) const {
    if constexpr (in_pairs) {
      bucket::load_in_pairs(slots_, at, seen);
    } else {
      bucket::load(slots_, at, seen);
    }
  }

  table_head* head_ = nullptr;
  word* slots_ = nullptr;
  passed_buckets passed_;
  std::uint32_t buckets_ = 0;
  reserved_bits<bits> reserved_{};
};

}  // namespace heddle::container::detail
