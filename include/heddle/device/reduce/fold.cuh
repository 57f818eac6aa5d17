// Folds a range into one value in one launch: threads fold elements, then blocks and the grid
// merge.
#pragma once
#include <heddle/core/operators.cuh>
#include <heddle/device/fold_tuning.cuh>
#include <heddle/device/kernel/gather.cuh>
#include <heddle/device/kernel/hand_over.cuh>
#include <heddle/device/kernel/launch.cuh>
#include <heddle/warp/reduce.cuh>

#include <algorithm>
#include <cstdint>

namespace heddle::device::detail {

using heddle::detail::words_of;

// A fold is an object that is passed to the device by value:
//   using running, state    what a thread holds while it takes elements, and what is merged
//   merge                   the operator that merges states, with identity_of and commutes; it may
//                           have a function over_warp(state) that merges those of a whole warp,
//                           with the result in every lane
//   running start()         before the first element
//   void take(running&, element, step)          takes an element; steps ascend for each place
//   state close(running[], own_loads)           after the last element; one running per place in a
//                                               load
//   state single(element, index)                one loose element
//   void finish(state, result*)                 writes the result

struct boards;  // the owners of kept memory
struct counters;

template <typename Tuning>
struct with_many_loads : Tuning {
  static constexpr int in_flight = Tuning::many_in_flight;
};

template <typename Fold>
using merge_of = std::remove_cvref_t<decltype(std::declval<const Fold&>().merge)>;

// Merges the states as a tree: the upper half into the lower half, repeatedly.
template <int count, typename Merge, typename State>
[[nodiscard]] __device__ inline State merge_places(const State (&states)[count],
                                                   const Merge& merge) {
  State merged[count];
#pragma unroll
  for (int place = 0; place < count; ++place) merged[place] = states[place];
#pragma unroll
  for (int half = count / 2; half > 0; half /= 2) {
#pragma unroll
    for (int place = 0; place < half; ++place) {
      merged[place] = merge(merged[place], merged[place + half]);
    }
  }
  return merged[0];
}

// Merges the values of a warp.
//   width       lanes from here on hold identities and may be skipped
template <int width = warp_size, typename Merge, typename State>
[[nodiscard]] __device__ inline State merge_warp(const State& value, const Merge& merge) {
  if constexpr (requires { merge.over_warp(value); }) {
    return merge.over_warp(value);
  } else {
    return warp::reduce<width>(value, merge);
  }
}

// Folds the caller's share of the range.
template <typename Tuning, typename Input, typename OwnLoads, typename Fold>
__device__ inline typename Fold::state fold_in_thread(const Input& input, const division& divided,
                                                      const OwnLoads& own, const Fold& fold) {
  using state = typename Fold::state;
  constexpr int length = loaded<Input>::length;
  typename Fold::running running[length];
#pragma unroll
  for (auto& one : running) one = fold.start();
  state loose = identity<merge_of<Fold>, state>();
  gather<Tuning::hint>(
      input, divided, own,
      [&](const auto& values, std::uint32_t step, bool is_there) {
#pragma unroll
        for (int place = 0; place < length; ++place) {
          if (is_there) fold.take(running[place], values[place], step);
        }
      },
      [&](const auto& value, std::int64_t index) {
        loose = fold.merge(loose, fold.single(value, index));
      });
  return fold.merge(fold.close(running, own), loose);
}

// Merges the values of a block of whole warps; the result is in thread 0. `slots` may be reused
// after a barrier. Shorter than block::reduce_to_first(), which any block may call: for a small
// input, the time to fetch code matters.
template <typename Merge, typename State>
__device__ inline State merge_block(State value, const Merge& merge, words_of<State>* slots) {
  const int warps = warp_count();
  value = merge_warp(value, merge);
  if (warps == 1) return value;
  if (lane_id() == 0) slots[warp_rank()] = words_of<State>(value);
  __syncthreads();
  if (warp_rank() == 0) {
    value = lane_id() < warps ? slots[lane_id()].value() : identity<Merge, State>();
    value = merge_warp(value, merge);
  }
  return value;
}

// Merges the values of a cluster's blocks; the result is in thread 0 of its first block.
template <typename Merge, typename State>
__device__ inline State merge_cluster(const State& of_block, const Merge& merge,
                                      words_of<State>* slots) {
  cluster::wait();  // the first block has started
  if (thread_rank() == 0) {
    *cluster::in_block(slots + cluster::block_rank(), 0) = words_of<State>(of_block);
  }
  cluster::arrive();
  cluster::wait();
  State mine = identity<Merge, State>();
  if (warp_rank() == 0) {
    if (lane_id() < cluster::blocks()) mine = slots[lane_id()].value();
    mine = merge_warp<most_blocks_of_cluster>(mine, merge);
  }
  return mine;
}

// Merges the values of the grid's blocks. Returns true in the threads of the finishing block, where
// the result is in thread 0.
template <bool posts, typename Merge, typename State>
__device__ inline bool merge_grid(State& value, const Merge& merge, std::byte* memory,
                                  words_of<State>* slots) {
  const int blocks = static_cast<int>(gridDim.x);
  const int own = static_cast<int>(blockIdx.x);
  State mine = identity<Merge, State>();
  if constexpr (posts) {
    board<State> all(memory);
    if (own != blocks - 1) {
      if (thread_rank() == 0) all.post(own, value);
      return false;
    }
    for (int i = thread_rank(); i < blocks - 1; i += block_size()) {
      mine = merge(mine, all.take(i));
    }
    // The last block's own value was never posted.
    if (thread_rank() == 0) mine = merge(mine, value);
  } else {
    auto* const partials = reinterpret_cast<words_of<State>*>(memory + 256);
    if (thread_rank() == 0) partials[own] = words_of<State>(value);
    if (!is_last_block(reinterpret_cast<unsigned*>(memory))) return false;
    for (int i = thread_rank(); i < blocks; i += block_size()) {
      mine = merge(mine, partials[i].value());
    }
  }
  __syncthreads();
  value = merge_block(mine, merge, slots);
  return true;
}

template <typename Tuning>
inline constexpr int most_threads = std::max({Tuning::threads, Tuning::small_threads,
                                              Tuning::alone_threads});
template <typename Tuning>
inline constexpr int least_blocks = std::max(1, Tuning::blocks* Tuning::threads /
                                                    most_threads<Tuning>);

template <typename Tuning, typename Input, typename Fold, typename Result>
__global__ void __launch_bounds__(most_threads<Tuning>, least_blocks<Tuning>)
    fold_kernel(Input input, division divided, Fold fold, Result* result, std::byte* memory) {
  using state = typename Fold::state;
  using words = words_of<state>;
  alignas(words) __shared__ unsigned char of_warps[warp_size * sizeof(words)];
  alignas(words) __shared__ unsigned char of_blocks[most_blocks_of_cluster * sizeof(words)];
  auto* const slots = reinterpret_cast<words*>(of_warps);
  const bool is_one_cluster = cluster::blocks() > 1;
  if (is_one_cluster) cluster::arrive();
  const own_loads_of<Input, loads_in_flight<Input, Tuning::in_flight>> own(divided);
  fetch_ahead<Tuning::bytes_fetched_ahead>(input, own);
  if constexpr (Tuning::starts_beside) {
    start_beside_others();
  } else {
    start_in_stream_order();
  }
  state value = fold_in_thread<Tuning>(input, divided, own, fold);
  value = merge_block(value, fold.merge, slots);
  bool is_finishing = true;
  if (is_one_cluster) {
    value = merge_cluster(value, fold.merge, reinterpret_cast<words*>(of_blocks));
    is_finishing = cluster::block_rank() == 0;
  } else if (gridDim.x > 1) {
    is_finishing = merge_grid<Tuning::posts>(value, fold.merge, memory, slots);
  }
  if (is_finishing && thread_rank() == 0) fold.finish(value, result);
}

// The shape of the grid for this many loads.
template <typename Tuning, typename Kernel>
[[nodiscard]] shape shape_for(workspace& workspace, Kernel kernel, std::int64_t loads,
                              source_location where) {
  if (loads <= Tuning::alone_loads) {
    const std::int64_t whole_warps = (loads + warp_size - 1) / warp_size * warp_size;
    return {1, static_cast<int>(
                   std::clamp<std::int64_t>(whole_warps, warp_size, Tuning::alone_threads))};
  }
  if (loads <= Tuning::cluster_loads && can_start_early(workspace, kernel, where)) {
    const int threads =
        loads <= Tuning::small_cluster_loads ? Tuning::small_threads : Tuning::threads;
    const int loads_of_block = threads * Tuning::cluster_share;
    int cluster = 2;
    while (cluster < most_blocks_of_cluster && cluster * loads_of_block < loads) cluster *= 2;
    return {cluster, threads, cluster};
  }
  const int threads = loads <= Tuning::small_loads ? Tuning::small_threads : Tuning::threads;
  const std::int64_t loads_of_block = std::int64_t{threads} * Tuning::share;
  const std::int64_t wanted = (loads + loads_of_block - 1) / loads_of_block;
  const std::int64_t most =
      std::int64_t{Tuning::waves} * workspace.resident_blocks(kernel, threads, 0, where);
  return {static_cast<int>(std::min(wanted, most)), threads};
}

// Folds `count` elements of `input` into *result.
//   called by   a host thread; runs in the workspace's stream, in one launch
//   result      in device memory, written once
//   order       fixed for a given count, device, tuning and input address modulo 16
template <typename Tuning = fold_tuning, readable Input, typename Fold, typename Result>
void fold_range(workspace& workspace, const Input& input, std::int64_t count, const Fold& fold,
                Result* result, source_location where = source_location::current()) {
  using state = typename Fold::state;
  constexpr int in_flight = loads_in_flight<Input, Tuning::in_flight>;
  const auto kernel = &fold_kernel<Tuning, Input, Fold, Result>;
  division divided = divide(input, count);
  if constexpr (Tuning::in_flight != Tuning::many_in_flight) {
    if (divided.loads >= Tuning::many_loads) {
      return fold_range<with_many_loads<Tuning>>(workspace, input, count, fold, result, where);
    }
  }
  shape grid =
      shape_for<Tuning>(workspace, kernel, std::max(divided.loads, divided.loose()), where);
  grid.where = where;
  grid.starts_early = Tuning::starts_early;
  count_rounds<in_flight>(divided, std::int64_t{grid.blocks} * grid.threads);
  std::byte* memory = nullptr;
  if (grid.blocks > grid.cluster) {
    if constexpr (Tuning::posts) {
      memory = workspace.kept<boards>(board<state>::bytes_for(grid.blocks), where);
    } else {
      memory = workspace.kept<counters>(256 + grid.blocks * sizeof(words_of<state>), where);
    }
  }
  launch(workspace, grid, kernel, input, divided, fold, result, memory);
}

}  // namespace heddle::device::detail
