// One pass of a radix sort: sorts all keys by one digit, in one kernel.
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/device/kernel/launch.cuh>
#include <heddle/device/sort/board.cuh>
#include <heddle/device/sort/count_digits.cuh>
#include <heddle/device/sort/key_code.cuh>
#include <heddle/device/sort/plan.cuh>
#include <heddle/device/sort/tile.cuh>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace heddle::device::detail {

// In place of a value, where keys are sorted alone.
struct no_value {};
template <typename Value>
inline constexpr bool is_value = !std::is_same_v<Value, no_value>;
template <typename Value>
inline constexpr int value_bytes = is_value<Value> ? static_cast<int>(sizeof(Value)) : 0;

// The shape of a pass: a tile has `items` keys for each thread.
//   window      tiles that are read at once when looking back
template <int thread_count, int blocks_wanted, int item_count, int window_tiles,
          bool by_atomic = false>
struct pass_shape {
  static constexpr bool ranks_by_atomic = by_atomic;  // see digit_counters::take_in_order()
  static constexpr int threads = thread_count;
  static constexpr int blocks = blocks_wanted;  // per multiprocessor, at least
  static constexpr int items = item_count;
  static constexpr int window = window_tiles;
  static constexpr int warps = threads / warp_size;
  static constexpr int tile_items = threads * items;
  // The caller's first key in a tile; the next ones are a row of the warp apart.
  [[nodiscard]] __device__ static int own_place() {
    return warp_rank() * (items * warp_size) + lane_id();
  }
  static_assert(threads >= digit_values && threads % warp_size == 0,
                "a block has whole warps, and a thread for each digit");

  // Shared memory: the counters, the staged keys, the staged values.
  static constexpr int keys_at = digit_counters::bytes_for(warps);
  template <typename Word>
  static constexpr int values_at = (keys_at + tile_items * static_cast<int>(sizeof(Word)) + 15) /
                                   16 * 16;
  template <typename Word, typename Value>
  static constexpr int bytes = values_at<Word> + tile_items* value_bytes<Value>;
};

template <typename Word, typename Value>
struct sort_arrays {
  const Word* keys;
  const Value* values;  // null: the value of each key is its place
  Word* sorted_keys;
  Value* sorted_values;
  Word* spare_keys;
  Value* spare_values;

  [[nodiscard]] __device__ const Word* keys_of(sort_array which) const {
    return which == sort_array::input    ? keys
           : which == sort_array::output ? sorted_keys
                                         : spare_keys;
  }
  [[nodiscard]] __device__ const Value* values_of(sort_array which) const {
    return which == sort_array::input    ? values
           : which == sort_array::output ? sorted_values
                                         : spare_values;
  }
};

// A launch of a pass. A range of more than digit_board::most_keys is sorted in several portions.
template <typename Word, typename Value>
struct pass_request {
  sort_arrays<Word, Value> arrays;
  key_code<Word> code;
  const sort_plan* plan;
  int pass;
  key_digit digit;
  std::int64_t first;          // key of this portion
  std::int64_t count;          // keys of this portion
  const digit_begins* begins;  // where this portion's keys go
  digit_begins* later_begins;  // of the next portion; null: this is the last one
  // Whether keys with the same digit may change places while none of their digits is sorted yet:
  // if there are no values and all bits are sorted, nobody can see it.
  bool may_swap;
};

// What the threads of a block pass to each other.
struct pass_meeting {
  taken_tile taken;
  key_digit digit;  // each phase reads it again, so that digits do not stay in registers
  std::uint32_t warp_counts[digit_values / warp_size];
  std::int64_t distances[digit_values];  // from a staged key's place to its place in the output
};

// Loads the caller's keys of a tile. A warp has consecutive rows, a lane a key of each row.
template <typename Shape, typename Word, typename Value>
__device__ inline void load_keys(const pass_request<Word, Value>& request, const sort_step& step,
                                 std::uint32_t tile, Word (&keys)[Shape::items]) {
  const std::int64_t begin = std::int64_t{tile} * Shape::tile_items;
  const int own = Shape::own_place();
  const std::int64_t left = request.count - begin - own;
  const Word* const from = request.arrays.keys_of(step.from) + request.first + begin + own;
#pragma unroll
  for (int i = 0; i < Shape::items; ++i) {
    keys[i] = i * warp_size < left ? from[i * warp_size] : Word{0};
  }
}

// Loads the caller's values of a tile.
template <bool is_whole, typename Shape, typename Word, typename Value>
__device__ inline void load_values(const pass_request<Word, Value>& request, const sort_step& step,
                                   std::int64_t begin, int valid, Value (&values)[Shape::items]) {
  const Value* const from = request.arrays.values_of(step.from);
  const int own = Shape::own_place();
  const std::int64_t place = request.first + begin + own;
  if (from != nullptr) {
#pragma unroll
    for (int i = 0; i < Shape::items; ++i) {
      if (is_whole || own + i * warp_size < valid) values[i] = from[place + i * warp_size];
    }
  } else if constexpr (std::is_integral_v<Value>) {
#pragma unroll
    for (int i = 0; i < Shape::items; ++i) values[i] = static_cast<Value>(place + i * warp_size);
  }
}

// Sorts one tile and writes it; meanwhile takes the next tile and loads its keys.
//   is_whole    the tile is not the shorter one at the end
//   called by   every thread of the block
//   keys        of `taken`, then of `meeting.taken`
template <bool is_whole, typename Shape, typename Word, typename Value>
__device__ inline void sort_tile(const pass_request<Word, Value>& request, const sort_step& step,
                                 const digit_board& board, taken_tile taken,
                                 Word (&keys)[Shape::items], std::byte* memory,
                                 pass_meeting& meeting) {
  constexpr int items = Shape::items;
  const int thread = thread_rank();
  const std::int64_t begin = std::int64_t{taken.tile} * Shape::tile_items;
  const auto valid = static_cast<int>(is_whole ? Shape::tile_items : request.count - begin);
  const int own = Shape::own_place();
  const auto is_there = [&](int i) { return is_whole || own + i * warp_size < valid; };
  digit_counters counters(reinterpret_cast<std::uint32_t*>(memory));

  counters.clear();
  if (step.encodes) {
#pragma unroll
    for (int i = 0; i < items; ++i) keys[i] = request.code.encode(keys[i]);
  }
  key_digit digit = meeting.digit;
#pragma unroll
  for (int i = 0; i < items; ++i) {
    if (is_there(i)) counters.count(digit.of(keys[i]));
  }
  __syncthreads();

  // From here on, thread d also serves digit d.
  const bool has_digit = agreed(thread < digit_values);
  std::uint32_t total = 0;
  std::int64_t in_output = 0;
  if (has_digit) {
    total = counters.total(thread, Shape::warps);
    board.publish(taken.launch, taken.tile, thread, total);
    in_output = static_cast<std::int64_t>((*request.begins)[thread]);
  }
  const std::uint32_t in_tile = begin_of_digit(total, meeting.warp_counts);
  if (has_digit) counters.make_places(thread, Shape::warps, in_tile);
  __syncthreads();

  // Each key goes to its place in the sorted tile.
  Word* const staged = reinterpret_cast<Word*>(memory + Shape::keys_at);
  Value* const staged_values = reinterpret_cast<Value*>(memory + Shape::template values_at<Word>);
  Value values[items];
  if constexpr (is_value<Value>) {
    load_values<is_whole, Shape>(request, step, begin, valid, values);
  }
  const auto stage = [&](int i, std::uint32_t place) {
    staged[place] = keys[i];
    if constexpr (is_value<Value>) staged_values[place] = values[i];
  };
  digit = meeting.digit;
  if (!is_value<Value> && request.may_swap && step.encodes) {
#pragma unroll
    for (int i = 0; i < items; ++i) {
      if (is_there(i)) stage(i, counters.take_any(digit.of(keys[i])));
    }
  } else {
#pragma unroll
    for (int i = 0; i < items; ++i) {
      // Lanes without a key pretend to have the last one: they come after all others.
      const std::uint32_t place = counters.take_in_order<Shape::ranks_by_atomic>(
          is_there(i) ? digit.of(keys[i]) : digit.mask);
      if (is_there(i)) stage(i, place);
    }
  }

  taken_tile next{};
  if (thread == 0) next = board.tiles.take_tile();
  if (has_digit) {
    const std::uint32_t before =
        board.count_before<Shape::window>(taken.launch, taken.tile, thread);
    board.publish_with_earlier(taken.launch, taken.tile, thread, before + total);
    meeting.distances[thread] = in_output + before - in_tile;
    if (request.later_begins != nullptr && begin + valid == request.count) {
      (*request.later_begins)[thread] = static_cast<std::uint64_t>(in_output + before + total);
    }
  }
  if (thread == 0) meeting.taken = next;
  __syncthreads();

  next = meeting.taken;
  if (next.tile < board.tiles.tiles) load_keys<Shape>(request, step, next.tile, keys);
  digit = meeting.digit;
  // Neighbouring threads write neighbouring keys of a digit.
  Word* const to = const_cast<Word*>(request.arrays.keys_of(step.to)) + thread;
  Value* values_to = nullptr;
  if constexpr (is_value<Value>) {
    values_to = const_cast<Value*>(request.arrays.values_of(step.to)) + thread;
  }
#pragma unroll
  for (int i = 0; i < items; ++i) {
    const int place = thread + i * Shape::threads;
    if (is_whole || place < valid) {
      const Word key = staged[place];
      const std::int64_t distance = meeting.distances[digit.of(key)];
      (to + distance)[i * Shape::threads] = step.decodes ? request.code.decode(key) : key;
      if constexpr (is_value<Value>) {
        (values_to + distance)[i * Shape::threads] = staged_values[place];
      }
    }
  }
}

template <typename Shape, typename Word, typename Value>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    sort_pass_kernel(const pass_request<Word, Value> request, const digit_board board) {
  extern __shared__ uint4 sort_memory[];
  __shared__ pass_meeting meeting;
  std::byte* const memory = reinterpret_cast<std::byte*>(sort_memory);
  start_in_stream_order();
  const sort_step step = request.plan->steps[request.pass];
  if (step.is_skipped) return;
  if (thread_rank() == 0) {
    meeting.digit = request.digit;
    meeting.taken = board.tiles.take_tile();
  }
  __syncthreads();
  taken_tile taken = meeting.taken;
  Word keys[Shape::items];
  if (taken.tile < board.tiles.tiles) load_keys<Shape>(request, step, taken.tile, keys);
  while (taken.tile < board.tiles.tiles) {
    if (std::int64_t{taken.tile + 1} * Shape::tile_items <= request.count) {
      sort_tile<true, Shape>(request, step, board, taken, keys, memory, meeting);
    } else {
      sort_tile<false, Shape>(request, step, board, taken, keys, memory, meeting);
    }
    taken = meeting.taken;
  }
  board.tiles.finish(taken.launch);
}

}  // namespace heddle::device::detail
