// The hash map of the textbooks: open addressing, and one lock for each part of the table.
#pragma once
#include <heddle/container/memory.cuh>
#include <heddle/sync/spin_lock.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace heddle_bench {

// For single lanes. The first three results of heddle::container::insertion.
enum class locked_insertion : std::uint8_t { inserted, present, full };

// A key belongs to one part. A search begins at the key's place in it and ends at the first slot
// that was never used.
template <typename Value, typename Lock = heddle::sync::spin_lock<>>
class locked_map_view {
 public:
  using key_type = std::uint32_t;

  // Inserts a key unless the map has it.
  __device__ locked_insertion insert(key_type key, const Value& value) const {
    locked_insertion answer = locked_insertion::full;
    const place start = place_of(key);
    heddle::sync::locked(*start.lock, [&] {
      slot* free = nullptr;
      for (unsigned i = 0; i < slots_per_part_; ++i) {
        slot& at = start.part[(start.first + i) % slots_per_part_];
        if (at.state == used && at.key == key) {
          answer = locked_insertion::present;
          return;
        }
        if (at.state != used && free == nullptr) free = &at;
        if (at.state == unused) break;
      }
      if (free == nullptr) return;
      *free = {key, used, value};
      answer = locked_insertion::inserted;
    });
    return answer;
  }
  // Returns false and leaves `value` unchanged if the map does not have the key.
  __device__ bool find(key_type key, Value& value) const {
    bool is_there = false;
    const place start = place_of(key);
    heddle::sync::locked(*start.lock, [&] {
      if (const slot* const at = slot_of(key, start)) {
        value = at->value;
        is_there = true;
      }
    });
    return is_there;
  }
  __device__ bool erase(key_type key) const {
    bool was_there = false;
    const place start = place_of(key);
    heddle::sync::locked(*start.lock, [&] {
      if (slot* const at = slot_of(key, start)) {
        at->state = erased;
        was_there = true;
      }
    });
    return was_there;
  }

 private:
  template <typename, typename>
  friend class locked_map;
  enum slot_state : std::uint32_t { unused, used, erased };
  struct slot {
    key_type key;
    slot_state state;
    Value value;
  };
  struct place {
    Lock* lock;
    slot* part;
    unsigned first;
  };

  __device__ place place_of(key_type key) const {
    std::uint64_t bits = key * 0x9e3779b97f4a7c15ull;
    bits = (bits ^ bits >> 32) * 0xd6e8feb86659fd93ull;
    bits ^= bits >> 32;
    const auto part = static_cast<unsigned>(bits) % parts_;
    return {locks_ + part, slots_ + std::size_t{part} * slots_per_part_,
            static_cast<unsigned>(bits >> 32) % slots_per_part_};
  }
  __device__ slot* slot_of(key_type key, const place& start) const {
    for (unsigned i = 0; i < slots_per_part_; ++i) {
      slot& at = start.part[(start.first + i) % slots_per_part_];
      if (at.state == unused) return nullptr;
      if (at.state == used && at.key == key) return &at;
    }
    return nullptr;
  }

  Lock* locks_ = nullptr;
  slot* slots_ = nullptr;
  unsigned parts_ = 0, slots_per_part_ = 0;
};

// Owns a map; all-zero memory is an empty map with free locks.
template <typename Value, typename Lock = heddle::sync::spin_lock<>>
class locked_map {
  using view_type = locked_map_view<Value, Lock>;

 public:
  // With at least `slots` slots in `parts` parts.
  explicit locked_map(std::size_t slots, std::size_t parts, cudaStream_t stream = nullptr,
                      heddle::source_location where = heddle::source_location::current()) {
    const std::size_t each = std::max<std::size_t>((slots + parts - 1) / parts, 1);
    const std::size_t lock_bytes = heddle::container::detail::in_lines(parts * sizeof(Lock));
    memory_ = heddle::container::detail::device_memory(
        lock_bytes + parts * each * sizeof(typename view_type::slot), stream, where);
    view_.locks_ = reinterpret_cast<Lock*>(memory_.data());
    view_.slots_ = reinterpret_cast<typename view_type::slot*>(memory_.data() + lock_bytes);
    view_.parts_ = static_cast<unsigned>(parts);
    view_.slots_per_part_ = static_cast<unsigned>(each);
  }
  [[nodiscard]] view_type view() const noexcept { return view_; }
  [[nodiscard]] std::size_t capacity() const noexcept {
    return std::size_t{view_.parts_} * view_.slots_per_part_;
  }

 private:
  heddle::container::detail::device_memory memory_;
  view_type view_;
};

}  // namespace heddle_bench
