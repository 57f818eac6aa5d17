// The kernels that hash tables run over whole arrays of keys and whole tables.
#pragma once
#include <heddle/container/hash_together.cuh>
#include <heddle/container/launch.cuh>
#include <heddle/warp/reduce.cuh>

#include <cstddef>
#include <cstdint>

namespace heddle::container::detail {

// How arrays of keys are processed; benches compare the settings.
struct bulk_settings {
  int in_flight = 1;      // searches in flight per lane
  bool merges = true;     // equal keys of a warp become one operation
  bool in_pairs = true;   // two lanes load their buckets together
  bool by_region = true;  // keys for a large table are sorted first
};

// Each kernel takes n rows of keys at a time, one key per row and lane. All lanes of a warp stay in
// the loop until the last one is done.
template <int n>
struct key_rows {
  static constexpr std::size_t step = std::size_t{launched_threads} * n;
  __device__ static std::size_t first() { return blockIdx.x * step + threadIdx.x; }
  __device__ static bool goes_on(std::size_t at, std::size_t count) {
    return at - threadIdx.x < count;
  }
  __device__ static std::size_t next(std::size_t at) { return at + gridDim.x * step; }

  // Loads the caller's keys and values of the rows that begin at `at`; reserved keys are not
  // wanted.
  template <typename Table, typename Key, typename Value>
  __device__ static void load(const Table& table, const Key* keys, const Value* values,
                              std::size_t at, std::size_t count, typename Table::bits (&mine)[n],
                              Value (&brought)[n], bool (&wanted)[n]) {
#pragma unroll
    for (int i = 0; i < n; ++i) {
      const std::size_t place = at + static_cast<unsigned>(i) * launched_threads;
      wanted[i] = place < count;
      mine[i] = wanted[i] ? key_bits(keys[place]) : 0;
      if constexpr (!std::is_empty_v<Value>) brought[i] = wanted[i] ? values[place] : Value{};
    }
#pragma unroll
    for (int i = 0; i < n; ++i) wanted[i] = wanted[i] && !table.is_reserved(mine[i]);
  }
};

// `values` may be null in sets, `answers` always.
template <int n, bool merges, bool in_pairs, typename Table, typename Key, typename Value>
__global__ void __launch_bounds__(launched_threads)
    insert_keys(Table table, const Key* keys, const Value* values, std::size_t count, bool assigns,
                insertion* answers) {
  using rows = key_rows<n>;
  for (std::size_t at = rows::first(); rows::goes_on(at, count); at = rows::next(at)) {
    typename Table::bits mine[n];
    Value brought[n];
    bool wanted[n];
    insertion answer[n];
    same_key groups[n];
    rows::load(table, keys, values, at, count, mine, brought, wanted);
#pragma unroll
    for (int i = 0; i < n; ++i) {
      answer[i] = insertion::refused;
      if constexpr (merges) {
        // Lanes without a key match as a group with a reserved key, for which nothing is inserted.
        groups[i] = same_key::among(all_lanes, wanted[i] ? mine[i] : table.marker(), assigns);
        wanted[i] = wanted[i] && groups[i].leads();
      }
    }
    table.template insert<in_pairs>(mine, brought, wanted, assigns, answer);
    if (answers == nullptr) continue;
#pragma unroll
    for (int i = 0; i < n; ++i) {
      const std::size_t place = at + static_cast<unsigned>(i) * launched_threads;
      if constexpr (merges) answer[i] = groups[i].answer_from_leader(answer[i]);
      if (place < count) answers[place] = answer[i];
    }
  }
}

// `values` may be null; the value of a key that is not found stays unchanged.
template <int n, bool in_pairs, typename Table, typename Key, typename Value>
__global__ void __launch_bounds__(launched_threads)
    find_keys(Table table, const Key* keys, std::size_t count, Value* values, bool* found) {
  using rows = key_rows<n>;
  for (std::size_t at = rows::first(); rows::goes_on(at, count); at = rows::next(at)) {
    typename Table::bits mine[n];
    Value seen[n]{};
    bool wanted[n], is_there[n];
#pragma unroll
    for (int i = 0; i < n; ++i) {
      const std::size_t place = at + static_cast<unsigned>(i) * launched_threads;
      wanted[i] = place < count;
      mine[i] = wanted[i] ? key_bits(keys[place]) : 0;
    }
#pragma unroll
    for (int i = 0; i < n; ++i) wanted[i] = wanted[i] && !table.is_reserved(mine[i]);
    table.template find<in_pairs>(mine, wanted, seen, is_there);
#pragma unroll
    for (int i = 0; i < n; ++i) {
      const std::size_t place = at + static_cast<unsigned>(i) * launched_threads;
      if (place >= count) continue;
      if constexpr (!std::is_empty_v<Value>) {
        if (values != nullptr && is_there[i]) values[place] = seen[i];
      }
      if (found != nullptr) found[place] = is_there[i];
    }
  }
}

template <typename Table, typename Key>
__global__ void __launch_bounds__(launched_threads)
    erase_keys(Table table, const Key* keys, std::size_t count, bool* answers) {
  using rows = key_rows<1>;
  for (std::size_t at = rows::first(); rows::goes_on(at, count); at = rows::next(at)) {
    const bool wants = at < count;
    const auto key = wants ? key_bits(keys[at]) : 0;
    const bool is_gone = erase_together(table, key, wants, all_lanes);
    if (wants && answers != nullptr) answers[at] = is_gone;
  }
}

// The caller's share of the numbers below `end`.
struct own_share {
  std::size_t at, end;
  __device__ explicit own_share(std::size_t items)
      : at(std::size_t{blockIdx.x} * blockDim.x + threadIdx.x), end(items) {}
  [[nodiscard]] __device__ bool goes_on() const { return at < end; }
  __device__ void next() { at += std::size_t{gridDim.x} * blockDim.x; }
};

template <typename Table>
__global__ void __launch_bounds__(launched_threads) clear_parts(Table table) {
  for (own_share part(table.part_count()); part.goes_on(); part.next()) table.clear_part(part.at);
}

// Calls visit(table, slot) for each slot.
template <typename Table, typename Visit>
__global__ void __launch_bounds__(launched_threads) visit_slots(Table table, Visit visit) {
  for (own_share slot(table.slot_count()); slot.goes_on(); slot.next()) visit(table, slot.at);
}

// Calls visit(key, value) for each element.
template <typename Key, typename Value, typename Visit>
struct visit_elements {
  Visit visit;
  template <typename Table>
  __device__ void operator()(const Table& table, std::size_t slot) const {
    typename Table::bits key;
    Value value;
    if (!table.read_slot(slot, key, value)) return;
    if constexpr (std::is_empty_v<Value>) {
      visit(key_from<Key>(key));
    } else {
      visit(key_from<Key>(key), value);
    }
  }
};
template <typename Table, typename Value>
struct insert_elements {
  Table into;
  __device__ void operator()(const Table& table, std::size_t slot) const {
    typename Table::bits key;
    Value value;
    if (!table.read_slot(slot, key, value)) return;
    static_cast<void>(insert_one(into, key, value, false));  // there is room for all
  }
};

template <typename Value>
struct has_element {
  template <typename Table>
  __device__ bool operator()(const Table& table, std::size_t slot) const {
    typename Table::bits key;
    Value value;
    return table.read_slot(slot, key, value);
  }
};
struct has_erased_key {
  template <typename Table>
  __device__ bool operator()(const Table& table, std::size_t slot) const {
    return table.was_erased(slot);
  }
};
template <typename Test, typename Table>
__global__ void __launch_bounds__(launched_threads)
    count_slots(Table table, unsigned long long* total) {
  unsigned long long mine = 0;
  for (own_share slot(table.slot_count()); slot.goes_on(); slot.next()) {
    mine += Test{}(table, slot.at) ? 1 : 0;
  }
  const auto of_warp = warp::reduce(mine);
  if (lane_id() == 0 && of_warp != 0) atomicAdd(total, of_warp);
}

// Frees the slots of erased keys, if there are any.
template <typename Table>
__global__ void __launch_bounds__(launched_threads) sweep_slots(Table table) {
  if (table.head()->has_erased == 0) return;
  for (own_share slot(table.slot_count()); slot.goes_on(); slot.next()) table.sweep_slot(slot.at);
}

// The kernels of tidy(), which shorten probe sequences again after an epoch has begun.
template <typename Table>
__global__ void __launch_bounds__(launched_threads) forget_ways(Table table) {
  for (own_share bucket(table.bucket_count()); bucket.goes_on(); bucket.next()) {
    table.forget_ways(static_cast<std::uint32_t>(bucket.at));
  }
}
template <typename Table>
__global__ void __launch_bounds__(launched_threads) move_home(Table table) {
  for (own_share slot(table.slot_count()); slot.goes_on(); slot.next()) table.move_home(slot.at);
}
template <typename Table>
__global__ void __launch_bounds__(launched_threads) mark_ways(Table table) {
  for (own_share slot(table.slot_count()); slot.goes_on(); slot.next()) table.mark_way(slot.at);
}
template <typename Table>
__global__ void __launch_bounds__(launched_threads) tidy_buckets(Table table) {
  for (own_share bucket(table.bucket_count()); bucket.goes_on(); bucket.next()) {
    table.tidy_bucket(static_cast<std::uint32_t>(bucket.at));
    if (bucket.at == 0) table.head()->was_tidied = 1;
  }
}

template <typename Table>
__global__ void begin_epoch(Table table) {
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  ++table.head()->epoch;
  table.head()->has_erased = 0;
}

}  // namespace heddle::container::detail
