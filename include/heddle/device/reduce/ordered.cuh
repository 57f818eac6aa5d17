// Reduces a range in element order, for operators that do not commute or have no identity.
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/core/words.cuh>
#include <heddle/device/kernel/gather.cuh>
#include <heddle/device/kernel/hand_over.cuh>
#include <heddle/device/kernel/launch.cuh>
#include <heddle/warp/reduce.cuh>

#include <algorithm>
#include <cstdint>

namespace heddle::device::detail {

using heddle::detail::words_of;

// Tuning for this file; operators that commute use fold_tuning.
inline constexpr int ordered_threads = 256;
inline constexpr int ordered_warps = ordered_threads / warp_size;
template <typename Input>
inline constexpr int ordered_loads = loaded<Input>::is_vector ? 4 : 8;  // in flight per lane
// Elements of a lane in one tile of a warp; they are neighbours.
template <typename Input>
inline constexpr int ordered_items = ordered_loads<Input>* loaded<Input>::length;

// Which warp reads what, computed on the host. Consecutive warps get consecutive runs of tiles; the
// first also gets the elements before the first tile, the last those after the last tile.
struct ordered_division {
  std::int64_t begin = 0;           // the first element of the first tile
  std::int64_t tiles = 0;           // whole ones
  std::int64_t count = 0;           // elements in all
  std::int64_t tiles_per_warp = 1;  // the last warp has the rest
  std::int64_t warps = 1;           // with work: the first warps of the grid
  bool is_aligned = true;           // tiles can be read 16 bytes at a time
};

template <typename Input>
[[nodiscard]] ordered_division divide_in_order(const Input& input, std::int64_t count,
                                               std::int64_t most_warps) {
  constexpr std::int64_t tile = warp_size * ordered_items<Input>;
  ordered_division divided;
  divided.count = count;
  if constexpr (loaded<Input>::is_vector) {
    const vector_split split = split_vectors(input, count);
    divided.is_aligned = split.begin < count;
    divided.begin = divided.is_aligned ? split.begin : 0;
  } else {
    static_cast<void>(input);
  }
  divided.tiles = (count - divided.begin) / tile;
  divided.tiles_per_warp = std::max<std::int64_t>(1, (divided.tiles + most_warps - 1) / most_warps);
  divided.warps = std::max<std::int64_t>(
      1, (divided.tiles + divided.tiles_per_warp - 1) / divided.tiles_per_warp);
  return divided;
}

// Combines the values of lanes 0 … lanes - 1 in order; the result is in lane 0. Before each step a
// lane holds the result of up to `distance` lanes, starting with its own.
//   called by   a whole warp
template <typename T, typename Op>
__device__ inline T combine_first_lanes(T value, int lanes, const Op& op) {
#pragma unroll
  for (int distance = 1; distance < warp_size; distance *= 2) {
    const bool later_exists = lane_id() + distance < lanes;
    const T later = shuffle(all_lanes, value, later_exists ? lane_id() + distance : lane_id());
    const T combined = op(value, later);
    value = later_exists ? combined : value;
  }
  return value;
}

// One lane combines elements first … last - 1; there is at least one.
template <typename T, typename Input, typename Map, typename Op>
__device__ inline T combine_elements(const Input& input, std::int64_t first, std::int64_t last,
                                     const Map& map, const Op& op) {
  T value = static_cast<T>(map(input[first]));
  for (std::int64_t i = first + 1; i < last; ++i) value = op(value, static_cast<T>(map(input[i])));
  return value;
}

// One lane combines its items of a whole tile.
template <typename T, typename Input, typename Map, typename Op>
__device__ inline T combine_items(const Input& input, std::int64_t first, bool is_aligned,
                                  const Map& map, const Op& op) {
  constexpr int length = loaded<Input>::length;
  loaded<Input> batch[ordered_loads<Input>];
  if (is_aligned) {
#pragma unroll
    for (int i = 0; i < ordered_loads<Input>; ++i) {
      batch[i] = load_at<caching::normal>(input, first + i * length);
    }
  } else {
#pragma unroll
    for (int i = 0; i < ordered_items<Input>; ++i) {
      batch[i / length].values[i % length] = input[first + i];
    }
  }
  T value = static_cast<T>(map(batch[0].values[0]));
#pragma unroll
  for (int i = 1; i < ordered_items<Input>; ++i) {
    value = op(value, static_cast<T>(map(batch[i / length].values[i % length])));
  }
  return value;
}

// Combines a warp's run; the result is in lane 0, and undefined in warps without work.
template <typename T, typename Input, typename Map, typename Op>
__device__ inline T combine_run(const Input& input, const ordered_division& divided,
                                std::int64_t warp, const Map& map, const Op& op) {
  constexpr std::int64_t items = ordered_items<Input>;
  constexpr std::int64_t tile = warp_size * items;
  const std::int64_t tiles_before = warp * divided.tiles_per_warp;
  const bool is_last = warp == divided.warps - 1;
  const std::int64_t tiles_end = is_last ? divided.tiles : tiles_before + divided.tiles_per_warp;
  const std::int64_t in_tile = lane_id() * items;
  T value{};
  bool is_begun = false;
  const auto append = [&](const T& next) {
    value = is_begun ? op(value, next) : next;
    is_begun = true;
  };
  if (warp == 0 && divided.begin > 0) {
    append(combine_elements<T>(input, 0, divided.begin, map, op));
  }
  for (std::int64_t i = tiles_before; i < tiles_end; ++i) {
    const std::int64_t first = divided.begin + i * tile + in_tile;
    append(warp::reduce_to_first(combine_items<T>(input, first, divided.is_aligned, map, op), op));
  }
  const std::int64_t rest = divided.begin + divided.tiles * tile;
  if (is_last && rest < divided.count) {
    // Lanes without an element load the last one; its value is not used.
    const auto lanes = static_cast<int>((divided.count - rest + items - 1) / items);
    const std::int64_t first = rest + in_tile < divided.count ? rest + in_tile : divided.count - 1;
    const std::int64_t last = first + items < divided.count ? first + items : divided.count;
    append(combine_first_lanes(combine_elements<T>(input, first, last, map, op), lanes, op));
  }
  return value;
}

// Combines the values of the first `valid` threads of a block of whole warps; the result is in
// thread 0. `slots` may be reused after a barrier.
template <typename T, typename Op>
__device__ inline T combine_first_threads(T value, int valid, const Op& op, words_of<T>* slots) {
  const int lanes = valid - warp_rank() * warp_size;
  if (lanes > 0) {
    value = combine_first_lanes(value, lanes, op);
    if (lane_id() == 0) slots[warp_rank()] = words_of<T>(value);
  }
  __syncthreads();
  const int warps = (valid + warp_size - 1) / warp_size;
  if (warp_rank() == 0) {
    value = slots[lane_id() < warps ? lane_id() : warps - 1].value();
    value = combine_first_lanes(value, warps, op);
  }
  return value;
}

// A value before the first element, if any.
template <typename T>
struct initial_value {
  T value{};
  bool exists = false;
};

template <typename T, typename Input, typename Map, typename Op, typename Result>
__global__ void __launch_bounds__(ordered_threads)
    ordered_kernel(Input input, ordered_division divided, Map map, Op op, initial_value<T> initial,
                   Result* result, std::byte* memory) {
  using words = words_of<T>;
  alignas(words) __shared__ unsigned char of_warps[ordered_warps * sizeof(words)];
  auto* const slots = reinterpret_cast<words*>(of_warps);
  start_in_stream_order();
  if (divided.count == 0) {
    if (thread_rank() == 0) *result = static_cast<Result>(initial.value);
    return;
  }
  const std::int64_t before = static_cast<std::int64_t>(blockIdx.x) * ordered_warps;
  const std::int64_t left = divided.warps - before;
  const int valid = static_cast<int>(left < ordered_warps ? left : ordered_warps);
  T value{};
  if (warp_rank() < valid) {
    value = combine_run<T>(input, divided, before + warp_rank(), map, op);
    if (lane_id() == 0) slots[warp_rank()] = words_of<T>(value);
  }
  __syncthreads();
  if (warp_rank() == 0) {
    value = slots[lane_id() < valid ? lane_id() : valid - 1].value();
    value = combine_first_lanes(value, valid, op);
  }
  const int blocks = static_cast<int>(gridDim.x);
  if (blocks > 1) {
    board<T> all(memory);
    if (thread_rank() == 0) all.post(static_cast<int>(blockIdx.x), value);
    if (static_cast<int>(blockIdx.x) != blocks - 1) return;
    // Each thread takes a run of neighbouring blocks.
    const int share = (blocks + ordered_threads - 1) / ordered_threads;
    const int threads = (blocks + share - 1) / share;
    const int first = thread_rank() * share;
    if (thread_rank() < threads) {
      value = all.take(first);
      const int last = first + share < blocks ? first + share : blocks;
      for (int i = first + 1; i < last; ++i) value = op(value, all.take(i));
    }
    __syncthreads();
    value = combine_first_threads(value, threads, op, slots);
  }
  if (thread_rank() == 0) {
    *result = static_cast<Result>(initial.exists ? op(initial.value, value) : value);
  }
}

struct ordered_boards;

template <typename T, typename Input, typename Map, typename Op, typename Result>
void combine_in_order(workspace& workspace, const Input& input, std::int64_t count, const Map& map,
                      const Op& op, const initial_value<T>& initial, Result* result,
                      source_location where) {
  const auto kernel = &ordered_kernel<T, Input, Map, Op, Result>;
  const std::int64_t most_warps =
      std::int64_t{ordered_warps} * workspace.resident_blocks(kernel, ordered_threads, 0, where);
  const ordered_division divided = divide_in_order(input, count, most_warps);
  const auto blocks = static_cast<int>((divided.warps + ordered_warps - 1) / ordered_warps);
  std::byte* memory = nullptr;
  if (blocks > 1) memory = workspace.kept<ordered_boards>(board<T>::bytes_for(blocks), where);
  launch(workspace, {.blocks = blocks, .threads = ordered_threads, .where = where}, kernel, input,
         divided, map, op, initial, result, memory);
}

}  // namespace heddle::device::detail
