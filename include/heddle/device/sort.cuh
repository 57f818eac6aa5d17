// Sorts keys, or pairs of keys and values, of any number.
//   strategy    radix sort from the lowest digit on: one kernel counts all digits, then one kernel
//               for each digit of 8 bits sorts tiles in shared memory, with decoupled look-back.
//               One block or one cluster for what its shared memory holds; keys of 1 or 2 bytes are
//               counted and written again
//   needs       sm_75; early start and clusters sm_90
#pragma once
#include <heddle/core/operators.cuh>
#include <heddle/device/sort/board.cuh>
#include <heddle/device/sort/key_code.cuh>
#include <heddle/device/sort/large_values.cuh>
#include <heddle/device/sort/launch.cuh>
#include <heddle/device/workspace.cuh>

#include <cstdint>
#include <type_traits>

namespace heddle::device {

// Compile-time tuning. No number has been measured yet: they are derived for an H200, from its
// registers (65,536 per multiprocessor) and shared memory (227 KiB). Other GPUs use the same
// shapes; those with less than 68 KiB of shared memory use the small tiles for all inputs.
struct sort_tuning {
  // Tiles of large inputs.
  static constexpr int threads = 512;
  static constexpr int blocks = 2;         // per multiprocessor, at least; limits the registers
  static constexpr int thread_bytes = 96;  // of keys and values in a tile, per thread
  static constexpr int most_items = 24;    // keys in a tile, per thread
  // Tiles of inputs that would otherwise not reach all multiprocessors.
  static constexpr int few_threads = 256;
  static constexpr int few_blocks = 4;
  static constexpr int few_items = 8;
  // Tiles are large if each multiprocessor then has at least this many.
  static constexpr int tiles_each = 1;
  // How many tiles a thread reads at once when it looks back.
  static constexpr int window = 8;
  static constexpr bool ranks_by_atomic = false;  // see digit_counters::take_in_order()
  // One block sorts up to this many bytes, as far as two copies fit into its shared memory.
  static constexpr int alone_bytes = 64 * 1024;
  static constexpr int alone_items = 4;  // keys per thread, at least
  // One cluster sorts up to this many, on GPUs that have clusters.
  static constexpr int cluster_bytes = 256 * 1024;
  static constexpr int cluster_blocks = detail::most_blocks_of_cluster;
  // Counting digits.
  static constexpr int count_threads = 1024;
  static constexpr int count_in_flight = 2;       // 16-byte loads in flight per thread
  static constexpr int count_share = 4;           // 16-byte loads per thread, at least
  static constexpr int count_bytes = 128 * 1024;  // of counters, at most
  // Keys of two bytes, alone and by all bits, are counted whole from this many on.
  static constexpr std::int64_t counted_whole = std::int64_t{1} << 20;
  // The most keys of a launch.
  static constexpr std::int64_t portion = detail::digit_board::most_keys;
  // Values of more bytes stay where they are until the order of their keys is known.
  static constexpr int carried_bytes = 16;
};

// Which keys come first.
enum class sort_order { ascending, descending };

// What a sort goes by: sort(…, {.order = sort_order::descending}).
struct sort_settings {
  sort_order order = sort_order::ascending;
  // Only these bits of the keys count: from begin_bit up to, but without, end_bit; -1: the last
  // bit included. Other keys than unsigned ones are first mapped to unsigned numbers that sort the
  // same way: the top bit of signed keys is flipped, and all bits of negative floating-point keys.
  int begin_bit = 0;
  int end_bit = -1;
};

// Keys are integers and floating-point numbers of up to 64 bits, half and bfloat16.
template <typename Key>
concept sortable = is_number<Key> && sizeof(Key) <= 8;

namespace detail {

// Values of one size share their kernels.
template <typename Value>
using carried_value =
    std::conditional_t<(sizeof(Value) <= 8 && sizeof(Value) == alignof(Value)),
                       heddle::detail::unsigned_of<static_cast<int>(sizeof(Value))>, Value>;

template <typename Key>
void check_sort(std::int64_t count, const sort_settings& settings, int end_bit,
                source_location where) {
  if (count < 0) throw error(cudaErrorInvalidValue, "a range has no negative count", where);
  constexpr int bits = static_cast<int>(8 * sizeof(Key));
  if (settings.begin_bit < 0 || settings.begin_bit > end_bit || end_bit > bits) {
    throw error(cudaErrorInvalidValue,
                "the bits to sort by lie within the key, and the first is not after the last",
                where);
  }
}

template <typename Tuning, typename Key, typename Value>
void sort_range(workspace& workspace, const Key* keys, const Value* values, std::int64_t count,
                Key* sorted_keys, Value* sorted_values, const sort_settings& settings,
                source_location where) {
  const int end_bit = settings.end_bit < 0 ? static_cast<int>(8 * sizeof(Key)) : settings.end_bit;
  check_sort<Key>(count, settings, end_bit, where);
  using word = key_word<Key>;
  using value = std::conditional_t<is_value<Value>, carried_value<Value>, no_value>;
  const sort_request<word, value> request{reinterpret_cast<const word*>(keys),
                                          reinterpret_cast<const value*>(values),
                                          count,
                                          reinterpret_cast<word*>(sorted_keys),
                                          reinterpret_cast<value*>(sorted_values),
                                          code_of<Key>(settings.order == sort_order::descending),
                                          settings.begin_bit,
                                          end_bit};
  if constexpr (value_bytes<Value> <= Tuning::carried_bytes) {
    sort_words<Tuning>(workspace, request, where);
  } else if (count <= std::int64_t{1} << 32) {
    sort_by_places<Tuning, std::uint32_t>(workspace, request, where);
  } else {
    sort_by_places<Tuning, std::uint64_t>(workspace, request, where);
  }
}

}  // namespace detail

// The contract of both sorts:
//   called by   the host; asynchronous: the result is ready in the order of the workspace's stream
//   input       device memory; unchanged, unless it is the output
//   output      device memory with room for `count` elements; either the input itself or disjoint
//               from it
//   count       0 or more; may be above 2^31
//   order       stable: equal keys, and keys that differ only outside the chosen bits, keep their
//               order. Floating-point keys are ordered by sign and bits: NaNs with the sign bit
//               set, -∞ … -0, +0 … +∞, the other NaNs; descending is exactly the reverse
//   cost        one kernel for up to 64 KiB of keys and values, from sm_90 on 256 KiB. Above that
//               the keys are read once to count digits, then keys and values are read and written
//               once for each 8 bits of the key, except for digits that are the same in all keys.
//               Without values and by all bits, keys of 1 byte, and of 2 bytes from 2^20 on, are
//               read once and written once. The workspace keeps a copy of keys and values, and 2
//               KiB for each tile
//   capture     as for the workspace; a replayed graph sorts what is in memory then

// Sorts keys.
template <typename Tuning = sort_tuning, sortable Key>
void sort(workspace& workspace, const Key* keys, std::int64_t count, Key* sorted,
          const sort_settings& settings = {}, source_location where = source_location::current()) {
  const detail::no_value* const none = nullptr;
  detail::sort_range<Tuning>(workspace, keys, none, count, sorted,
                             const_cast<detail::no_value*>(none), settings, where);
}

// Sorts keys, and moves the value of each key along with it.
//   values      trivially copyable, of any size. Up to 16 bytes travel with their keys; larger ones
//               are fetched once at the end, and the workspace keeps a copy of them if they are
//               sorted in place
template <typename Tuning = sort_tuning, sortable Key, typename Value>
requires std::is_trivially_copyable_v<Value>
void sort_pairs(workspace& workspace, const Key* keys, const Value* values, std::int64_t count,
                Key* sorted_keys, Value* sorted_values, const sort_settings& settings = {},
                source_location where = source_location::current()) {
  detail::sort_range<Tuning>(workspace, keys, values, count, sorted_keys, sorted_values, settings,
                             where);
}

}  // namespace heddle::device
