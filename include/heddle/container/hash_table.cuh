// The host side of hash_map and hash_set: a table's memory and the calls on the whole table.
#pragma once
#include <heddle/container/hash_kernels.cuh>
#include <heddle/container/hash_regions.cuh>
#include <heddle/container/hash_way.cuh>
#include <heddle/container/hash_words.cuh>
#include <heddle/container/launch.cuh>
#include <heddle/container/memory.cuh>
#include <heddle/core/architecture.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace heddle::container {

// How arrays of keys are processed: see detail::bulk_settings.
using detail::bulk_settings;

namespace detail {

// `Table` is the view that kernels use: word_table_view or node_table_view.
template <typename Table, typename Key, typename Value>
class hash_table {
 public:
  static constexpr std::size_t most_slots = std::size_t{1} << 31;

  hash_table(std::size_t slots, const reserved_keys<Key>& reserved, cudaStream_t stream,
             source_location where)
      : reserved_(checked_bits<Table::reserved_count>(reserved, where)) {
    if (slots == 0 || slots > most_slots) {
      throw error(cudaErrorInvalidValue,
                  "a hash table has 1 to " + std::to_string(most_slots) + " slots, not " +
                      std::to_string(slots),
                  where);
    }
    constexpr std::size_t of_bucket = Table::slots_of_bucket;
    buckets_ = static_cast<std::uint32_t>(
        next_bucket_count<Table::way>((slots + of_bucket - 1) / of_bucket));
    std::size_t spares = 0;  // nodes for lanes that are about to publish one
    if constexpr (Table::sweeps) spares = current_device(where).resident_threads();
    const std::size_t table_bytes = in_lines(Table::bytes(buckets_, spares));
    const std::size_t room_bytes = Table::sweeps ? 0 : waiting_room::bytes_for(capacity());
    memory_ = device_memory(table_bytes + room_bytes, stream, where);
    table_ = Table::over(memory_.data(), buckets_, spares, reserved_);
    if (room_bytes != 0) room_ = waiting_room(memory_.data() + table_bytes, room_bytes);
    clear(stream, where);
  }

  [[nodiscard]] const Table& table() const noexcept { return table_; }
  [[nodiscard]] std::size_t capacity() const noexcept {
    return std::size_t{buckets_} * Table::slots_of_bucket;
  }

  void clear(cudaStream_t stream, source_location where) {
    check(cudaMemsetAsync(memory_.data(), 0, sizeof(table_head), stream), where);
    launch_for_each(table_.part_count() / 4, stream, where, clear_parts<Table>, table_);
  }

  void settle(cudaStream_t stream, source_location where) {
    if constexpr (Table::sweeps) {
      launch_for_each(capacity() / 4, stream, where, sweep_slots<Table>, table_);
    }
    launch_for_each(1, stream, where, begin_epoch<Table>, table_);
  }
  void tidy(cudaStream_t stream, source_location where) {
    settle(stream, where);
    launch_for_each(capacity() / 4, stream, where, move_home<Table>, table_);
    launch_for_each(buckets_, stream, where, forget_ways<Table>, table_);
    launch_for_each(capacity() / 4, stream, where, mark_ways<Table>, table_);
    launch_for_each(buckets_, stream, where, tidy_buckets<Table>, table_);
  }

  template <bulk_settings how>
  void insert(const Key* keys, const Value* values, std::size_t count, bool assigns,
              insertion* answers, cudaStream_t stream, source_location where) {
    settle(stream, where);
    if (count == 0) return;
    if constexpr (!Table::sweeps && how.by_region) {
      // Few keys stay far apart even when sorted, and answers would lose their places in the array.
      if (room_.exists() && answers == nullptr && count >= capacity() / 24) {
        insert_by_region(table_, room_, keys, values, count, assigns, stream, where);
        return;
      }
    }
    launch_for_each(threads_for<how>(count), stream, where,
                    insert_keys<how.in_flight, how.merges, how.in_pairs, Table, Key, Value>, table_,
                    keys, values, count, assigns, answers);
  }
  template <bulk_settings how>
  void find(const Key* keys, std::size_t count, Value* values, bool* found, cudaStream_t stream,
            source_location where) const {
    if (count == 0) return;
    launch_for_each(threads_for<how>(count), stream, where,
                    find_keys<how.in_flight, how.in_pairs, Table, Key, Value>, table_, keys, count,
                    values, found);
  }
  void erase(const Key* keys, std::size_t count, bool* answers, cudaStream_t stream,
             source_location where) {
    if (count == 0) return;
    launch_for_each(count, stream, where, erase_keys<Table, Key>, table_, keys, count, answers);
  }

  template <typename Visit>
  void for_each(const Visit& visit, cudaStream_t stream, source_location where) const {
    visit_all(visit_elements<Key, Value, Visit>{visit}, stream, where);
  }

  [[nodiscard]] std::size_t size(cudaStream_t stream, source_location where) const {
    return count<has_element<Value>>(stream, where);
  }
  [[nodiscard]] std::size_t erased(cudaStream_t stream, source_location where) const {
    return count<has_erased_key>(stream, where);
  }

  void rehash(std::size_t slots, cudaStream_t stream, source_location where) {
    const std::size_t elements = size(stream, where);
    if (elements > slots) {
      throw error(
          cudaErrorInvalidValue,
          std::to_string(elements) + " elements do not fit " + std::to_string(slots) + " slots",
          where);
    }
    const reserved_keys<Key> reserved{key_from<Key>(reserved_.empty),
                                      key_from<Key>(reserved_.erased),
                                      key_from<Key>(reserved_.erased_too)};
    hash_table larger(slots, reserved, stream, where);
    visit_all(insert_elements<Table, Value>{larger.table_}, stream, where);
    check(cudaStreamSynchronize(stream), where);  // before the old memory is freed
    *this = std::move(larger);
  }

 private:
  template <bulk_settings how>
  static std::size_t threads_for(std::size_t count) {
    return (count + how.in_flight - 1) / how.in_flight;
  }
  // The number of slots for which `Test` is true.
  template <typename Test>
  [[nodiscard]] std::size_t count(cudaStream_t stream, source_location where) const {
    auto* const total = &reinterpret_cast<table_head*>(memory_.data())->count;
    unsigned long long count = 0;
    check(cudaMemsetAsync(total, 0, sizeof(count), stream), where);
    launch_for_each(capacity() / 4, stream, where, count_slots<Test, Table>, table_, total);
    check(cudaMemcpyAsync(&count, total, sizeof(count), cudaMemcpyDeviceToHost, stream), where);
    check(cudaStreamSynchronize(stream), where);
    return count;
  }
  template <typename Visit>
  void visit_all(const Visit& visit, cudaStream_t stream, source_location where) const {
    launch_for_each(capacity() / 4, stream, where, visit_slots<Table, Visit>, table_, visit);
  }

  device_memory memory_;
  Table table_;
  waiting_room room_;  // only for large tables
  reserved_bits<typename Table::bits> reserved_;
  std::uint32_t buckets_ = 0;
};

// The slots needed for that many elements at that load, in double precision. 0 if there are no
// elements; a number above any table's limit if there are too many.
[[nodiscard]] inline std::size_t slots_for(std::size_t elements, double load,
                                           source_location where) {
  if (!(load > 0 && load <= 1)) {
    throw error(cudaErrorInvalidValue, "the load of a hash table is above 0 and at most 1", where);
  }
  const double wanted = static_cast<double>(elements) / load;
  constexpr double too_many = 1ull << 62;  // for any table, but still a valid number of slots
  const auto slots = static_cast<std::size_t>(std::min(wanted, too_many));
  return static_cast<double>(slots) < wanted ? slots + 1 : slots;
}

}  // namespace detail
}  // namespace heddle::container
