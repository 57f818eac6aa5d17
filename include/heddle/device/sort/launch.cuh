// Chooses and launches the kernels of a sort.
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/device/histogram.cuh>
#include <heddle/device/kernel/gather.cuh>
#include <heddle/device/kernel/launch.cuh>
#include <heddle/device/scan.cuh>
#include <heddle/device/sort/board.cuh>
#include <heddle/device/sort/count_digits.cuh>
#include <heddle/device/sort/fill.cuh>
#include <heddle/device/sort/in_shared.cuh>
#include <heddle/device/sort/pass.cuh>
#include <heddle/device/workspace.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace heddle::device::detail {

// Name the kept memory.
struct digit_totals_memory;
struct digit_board_memory;

// The shapes of tiles: see sort_tuning.
template <typename Tuning, typename Word, typename Value>
inline constexpr int items_of_tile =
    std::clamp(Tuning::thread_bytes / (static_cast<int>(sizeof(Word)) + value_bytes<Value>), 2,
               Tuning::most_items);

template <typename Tuning, typename Word, typename Value>
using large_pass = pass_shape<Tuning::threads, Tuning::blocks, items_of_tile<Tuning, Word, Value>,
                              Tuning::window, Tuning::ranks_by_atomic>;
template <typename Tuning, typename Word, typename Value>
using small_pass = pass_shape<Tuning::few_threads, Tuning::few_blocks,
                              std::min(Tuning::few_items, items_of_tile<Tuning, Word, Value>),
                              Tuning::window, Tuning::ranks_by_atomic>;

// A sort of words, as the launches see it.
template <typename Word, typename Value>
struct sort_request {
  const Word* keys;
  const Value* values;
  std::int64_t count;
  Word* sorted_keys;
  Value* sorted_values;
  key_code<Word> code;
  int begin_bit;
  int end_bit;

  [[nodiscard]] bool keys_are_in_place() const { return keys == sorted_keys; }
  [[nodiscard]] bool values_are_in_place() const {
    return is_value<Value> && values == sorted_values;
  }
  [[nodiscard]] bool is_in_place() const { return keys_are_in_place() || values_are_in_place(); }
  // Nothing has to be copied either.
  [[nodiscard]] bool is_all_in_place() const {
    return keys_are_in_place() && (!is_value<Value> || values_are_in_place());
  }
  [[nodiscard]] bool has_all_bits() const {
    return begin_bit == 0 && end_bit == static_cast<int>(8 * sizeof(Word));
  }
};

// Scratch memory, part by part.
class scratch_parts {
 public:
  // Where a part of that many bytes begins.
  [[nodiscard]] std::size_t add(std::size_t bytes) {
    const std::size_t begin = bytes_;
    bytes_ += (bytes + 255) / 256 * 256;
    return begin;
  }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_ = 0;
};

template <typename... Parameters>
void allow_shared_bytes(void (*kernel)(Parameters...), int bytes, source_location where) {
  constexpr int without_asking = 40 * 1024;
  if (bytes <= without_asking) return;
  check(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                             cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
        where);
}

// The most shared memory that a launch may ask for besides what the kernels declare.
[[nodiscard]] inline int shared_room(const workspace& workspace) {
  constexpr int declared = 4096;
  return static_cast<int>(workspace.facts().shared_bytes_per_block) - declared;
}

template <bool is_cluster, typename Word, typename Value>
void launch_in_shared(workspace& workspace, const sort_request<Word, Value>& request, int blocks,
                      const shared_spread& spread, source_location where) {
  const auto kernel = &sort_in_shared_kernel<is_cluster, Word, Value>;
  // Always the maximum: a captured graph may hold a launch that needs more than this one.
  allow_shared_bytes(kernel, shared_room(workspace), where);
  launch(workspace,
         {.blocks = blocks,
          .threads = spread.warps * warp_size,
          .cluster = blocks,
          .shared_bytes = spread.bytes<Word, Value>(),
          .where = where},
         kernel, request.keys, request.values, request.sorted_keys, request.sorted_values,
         request.code, divide_key(request.begin_bit, request.end_bit, false), spread);
}

// Sorts in one block or one cluster if the input fits; returns whether it did.
template <typename Tuning, typename Word, typename Value>
[[nodiscard]] bool sort_in_shared(workspace& workspace, const sort_request<Word, Value>& request,
                                  source_location where) {
  constexpr std::int64_t item_bytes = static_cast<int>(sizeof(Word)) + value_bytes<Value>;
  const std::int64_t bytes = request.count * item_bytes;
  if (bytes > std::max(Tuning::alone_bytes, Tuning::cluster_bytes)) return false;
  const bool is_cluster = bytes > Tuning::alone_bytes;
  if (is_cluster && !can_start_early(workspace, &sort_in_shared_kernel<true, Word, Value>, where)) {
    return false;
  }
  const auto count = static_cast<int>(request.count);
  const int blocks = is_cluster ? Tuning::cluster_blocks : 1;
  int threads = digit_values;
  while (threads < most_threads_in_shared && threads * blocks * Tuning::alone_items < count) {
    threads *= 2;
  }
  const shared_spread spread(count, blocks, threads / warp_size);
  if (spread.bytes<Word, Value>() > shared_room(workspace)) return false;
  if (is_cluster) {
    launch_in_shared<true>(workspace, request, blocks, spread, where);
  } else {
    launch_in_shared<false>(workspace, request, blocks, spread, where);
  }
  return true;
}

template <typename Tuning, typename Word>
void count_digits(workspace& workspace, const Word* keys, const key_code<Word>& code,
                  const plan_request& request, digit_begins* begins, sort_plan* plan,
                  source_location where) {
  constexpr int threads = Tuning::count_threads, in_flight = Tuning::count_in_flight;
  const auto kernel = &count_digits_kernel<threads, in_flight, Word>;
  const int counters = request.digits.passes * digit_values;
  // At most one counter per two keys of a multiprocessor, because counters have to be cleared.
  const std::int64_t most_counters =
      std::min<std::int64_t>(std::min(Tuning::count_bytes, shared_room(workspace)) / 4,
                             request.count / (2 * workspace.multiprocessors()));
  int column_bits = 5;
  while (column_bits > 0 && std::int64_t{counters} << column_bits > most_counters) --column_bits;
  const int bytes = (counters << column_bits) * 4;
  allow_shared_bytes(kernel, std::min(Tuning::count_bytes, shared_room(workspace)), where);
  division divided = divide(keys, request.count);
  const int resident =
      workspace.resident_blocks(kernel, threads, static_cast<std::size_t>(bytes), where);
  const int blocks = blocks_for(divided, threads, Tuning::count_share, 1, resident);
  count_rounds<in_flight>(divided, std::int64_t{blocks} * threads);
  auto* const totals = reinterpret_cast<digit_totals*>(
      workspace.kept<digit_totals_memory>(sizeof(digit_totals), where));
  launch(workspace, {.blocks = blocks, .threads = threads, .shared_bytes = bytes, .where = where},
         kernel, keys, divided, code, request, column_bits, totals, begins, plan);
}

template <typename Shape, typename Word, typename Value>
void launch_pass(workspace& workspace, const pass_request<Word, Value>& request,
                 source_location where) {
  const auto kernel = &sort_pass_kernel<Shape, Word, Value>;
  constexpr int bytes = Shape::template bytes<Word, Value>;
  allow_shared_bytes(kernel, bytes, where);
  const std::int64_t tiles = (request.count + Shape::tile_items - 1) / Shape::tile_items;
  const int resident = workspace.resident_blocks(kernel, Shape::threads, bytes, where);
  const auto wanted = static_cast<std::uint32_t>(tiles);
  std::byte* const memory =
      workspace.kept<digit_board_memory>(digit_board::bytes_for(wanted), where);
  launch(workspace,
         {.blocks = static_cast<int>(std::min<std::int64_t>(tiles, resident)),
          .threads = Shape::threads,
          .shared_bytes = bytes,
          .where = where},
         kernel, request, digit_board(memory, wanted));
}

// Sorts by one digit after the other.
template <typename Tuning, typename Word, typename Value>
void sort_by_passes(workspace& workspace, const sort_request<Word, Value>& request,
                    source_location where) {
  using large = large_pass<Tuning, Word, Value>;
  using small = small_pass<Tuning, Word, Value>;
  const bool is_large = request.count >= std::int64_t{Tuning::tiles_each} *
                                             workspace.multiprocessors() * large::tile_items &&
                        large::template bytes<Word, Value> <= shared_room(workspace);
  const key_digits digits = divide_key(request.begin_bit, request.end_bit, request.is_in_place());
  const auto portions =
      static_cast<std::size_t>((request.count + Tuning::portion - 1) / Tuning::portion);
  const auto count = static_cast<std::size_t>(request.count);

  scratch_parts parts;
  const std::size_t plan_at = parts.add(sizeof(sort_plan));
  const std::size_t begins_at = parts.add(sizeof(digit_begins) * most_passes * portions);
  const std::size_t keys_at = parts.add(digits.passes > 1 ? sizeof(Word) * count : 0);
  const std::size_t values_at =
      parts.add(digits.passes > 1 ? static_cast<std::size_t>(value_bytes<Value>) * count : 0);
  std::byte* const memory = workspace.scratch(parts.bytes(), where);
  auto* const plan = reinterpret_cast<sort_plan*>(memory + plan_at);
  auto* const begins = reinterpret_cast<digit_begins*>(memory + begins_at);

  const int least = request.is_all_in_place() ? 0 : request.is_in_place() ? 2 : 1;
  count_digits<Tuning>(workspace, request.keys, request.code,
                       {digits, request.count, request.is_in_place(), least}, begins, plan, where);
  pass_request<Word, Value> pass{};
  pass.arrays = {request.keys,
                 request.values,
                 request.sorted_keys,
                 request.sorted_values,
                 reinterpret_cast<Word*>(memory + keys_at),
                 reinterpret_cast<Value*>(memory + values_at)};
  pass.code = request.code;
  pass.plan = plan;
  pass.may_swap = !is_value<Value> && request.has_all_bits();
  for (pass.pass = 0; pass.pass < digits.passes; ++pass.pass) {
    pass.digit = digits[pass.pass];
    for (std::size_t portion = 0; portion < portions; ++portion) {
      pass.first = static_cast<std::int64_t>(portion) * Tuning::portion;
      pass.count = std::min(request.count - pass.first, Tuning::portion);
      const auto row = [&](std::size_t portion) {
        return begins + portion * most_passes + pass.pass;
      };
      pass.begins = row(portion);
      pass.later_begins = portion + 1 < portions ? row(portion + 1) : nullptr;
      if (is_large) {
        launch_pass<large>(workspace, pass, where);
      } else {
        launch_pass<small>(workspace, pass, where);
      }
    }
  }
}

// Sorts keys of one or two bytes, alone and by all bits, by counting them: keys that are equal need
// not be told apart. The input may be the output.
template <typename Tuning, typename Word>
void sort_by_counting(workspace& workspace, const sort_request<Word, no_value>& request,
                      source_location where) {
  constexpr std::int64_t codes = std::int64_t{1} << (8 * sizeof(Word));
  scratch_parts parts;
  const std::size_t plan_at = parts.add(sizeof(sort_plan));
  const std::size_t begins_at = parts.add(sizeof(std::uint64_t) * codes);
  const std::size_t counts_at = parts.add(sizeof(std::uint64_t) * codes);
  std::byte* const memory = workspace.scratch(parts.bytes(), where);
  auto* const begins = reinterpret_cast<std::uint64_t*>(memory + begins_at);
  if constexpr (sizeof(Word) == 1) {
    const plan_request wanted{divide_key(0, digit_bits, false), request.count, false, 1};
    count_digits<Tuning>(workspace, request.keys, request.code, wanted,
                         reinterpret_cast<digit_begins*>(begins),
                         reinterpret_cast<sort_plan*>(memory + plan_at), where);
  } else {
    auto* const counts = reinterpret_cast<std::uint64_t*>(memory + counts_at);
    histogram(workspace, request.keys, request.count, even_bins<int>{0, codes, codes}, counts,
              histogram_output::set, where);
    exclusive_scan(workspace, counts_by_code<Word>{counts, request.code}, begins, codes, plus{},
                   where);
  }
  const auto kernel = &fill_with_keys_kernel<Word>;
  const vector_split split = split_vectors(request.sorted_keys, request.count);
  const std::int64_t part = std::int64_t{fill_threads} * fill_vectors * vector_length<Word>;
  const std::int64_t wanted = std::max<std::int64_t>((request.count + part - 1) / part, 1);
  const std::int64_t resident = workspace.resident_blocks(kernel, fill_threads, 0, where);
  launch(workspace,
         {.blocks = static_cast<int>(std::min(wanted, resident)),
          .threads = fill_threads,
          .where = where},
         kernel, begins, request.sorted_keys, split, request.count, request.code);
}

template <typename Tuning, typename Word, typename Value>
void sort_words(workspace& workspace, const sort_request<Word, Value>& request,
                source_location where) {
  if (request.count == 0) return;
  if (sort_in_shared<Tuning>(workspace, request, where)) return;
  if constexpr (sizeof(Word) <= 2 && !is_value<Value>) {
    if (request.has_all_bits() && (sizeof(Word) == 1 || request.count >= Tuning::counted_whole)) {
      sort_by_counting<Tuning>(workspace, request, where);
      return;
    }
  }
  sort_by_passes<Tuning>(workspace, request, where);
}

}  // namespace heddle::device::detail
