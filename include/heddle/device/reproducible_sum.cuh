// A sum whose bits do not depend on how or where it is computed.
//   strategy    every lane adds without rounding, into integers for a window of exponents; the sums
//               of lanes, warps and blocks are long integers, added exactly and rounded once
//   needs       sm_75; early start sm_90
#pragma once
#include <heddle/device/kernel/gather.cuh>
#include <heddle/device/kernel/hand_over.cuh>
#include <heddle/device/kernel/launch.cuh>
#include <heddle/device/reduce/exact_sum.cuh>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace heddle::device {

// How a reproducible sum is spread over the device; the result does not depend on it.
struct reproducible_tuning {
  static constexpr int threads = 512;
  static constexpr int blocks = 2;
  static constexpr int in_flight = 2;
  static constexpr int most_blocks = 1 << 20;  // per grid, even if more would fit on the device
  static constexpr caching hint = caching::once;
  static constexpr int bytes_fetched_ahead = 128;  // see fold_tuning
};

// A sum without rounding: the sum of slots[i] * 2^(32 i) units, and which non-finite numbers it
// contains. To add totals, add them element by element as 64-bit integers: up to 2^31 of them.
template <typename T>
struct exact_total {
  std::int64_t slots[detail::exact_format<T>::slot_count];
  std::int64_t nans;              // not 0: NaNs were added
  std::int64_t plus_infinities;   // not 0: likewise
  std::int64_t minus_infinities;  // not 0: likewise

  // How many integers a total consists of.
  static constexpr int numbers = detail::exact_format<T>::slot_count + 3;

  // The nearest number, ties to even; destroys the total.
  [[nodiscard]] __device__ T rounded() {
    const unsigned specials = (nans != 0 ? detail::has_nan : 0) |
                              (plus_infinities != 0 ? detail::has_plus_infinity : 0) |
                              (minus_infinities != 0 ? detail::has_minus_infinity : 0);
    return detail::round_exact<T>(slots, specials);
  }
};

namespace detail {

struct exact_memory;  // the owner of kept memory

// Loads the caller's share of a round; after the last whole round, the rest, padded with zeros.
template <caching hint, int in_flight, typename Input>
__device__ inline void load_round(const Input& input,
                                  const own_loads<in_flight, loaded<Input>::length>& own,
                                  std::uint32_t round, loaded<Input> (&batch)[in_flight]) {
  if (round < own.rounds()) {
#pragma unroll
    for (int i = 0; i < in_flight; ++i) {
      batch[i] = load_at<hint>(input, own.element_of_load(own.in_round(round, i)));
    }
  } else {
#pragma unroll
    for (int i = 0; i < in_flight; ++i) {
      batch[i] = {};
      if (own.is_in_rest(i)) {
        batch[i] = load_at<hint>(input, own.element_of_load(own.in_rest(i)));
      }
    }
  }
}

// Adds a warp's shares into the warp's slots. All warps go through all rounds as a whole.
template <typename Tuning, typename T, typename Input, int in_flight, int length>
__device__ inline void sum_exactly(const Input& input, const division& divided,
                                   const own_loads<in_flight, length>& own, std::int64_t* slots,
                                   unsigned* specials) {
  exact_lane<T> sum(slots, specials);
  // The next round is in flight while the elements of this one are added.
  loaded<Input> next[in_flight];
  load_round<Tuning::hint>(input, own, 0, next);
#pragma unroll 1
  for (std::uint32_t round = 0; round <= own.rounds(); ++round) {
    T elements[in_flight * length];
#pragma unroll
    for (int i = 0; i < in_flight * length; ++i) {
      elements[i] = static_cast<T>(next[i / length].values[i % length]);
    }
    if (round < own.rounds()) load_round<Tuning::hint>(input, own, round + 1, next);
    sum.take(elements);
  }
  // There are fewer loose elements than lanes in a warp.
  if (divided.loose() > 0 && blockIdx.x == 0 && warp_rank() == 0) {
    T loose[1]{};
    const int lane = lane_id();
    if (lane < divided.loose()) {
      loose[0] =
          static_cast<T>(input[lane < divided.begin ? lane : divided.end + (lane - divided.begin)]);
    }
    sum.take(loose);
  }
  sum.empty();
}

// Adds rows of slots in shared memory, one thread per column; the sum ends up in the first row.
//   called by   every thread of the block; contains a barrier before and after
template <int slot_count>
__device__ inline void add_rows(std::int64_t* slots, int rows) {
  const int slot = thread_rank();
  __syncthreads();
  if (slot < slot_count) {
    std::int64_t sum = 0;
    for (int row = 0; row < rows; ++row) sum += slots[row * slot_count + slot];
    slots[slot] = sum;
  }
  __syncthreads();
}

// Carries what exceeds 32 bits to the next slot, so that there is headroom again.
//   called by   as add_rows()
template <int slot_count>
__device__ inline void pass_on(std::int64_t* slots) {
  const int slot = thread_rank();
  std::int64_t sum = 0;
  if (slot < slot_count) {
    sum = slot == slot_count - 1 ? slots[slot] : slots[slot] & 0xffffffff;
    if (slot > 0) sum += slots[slot - 1] >> 32;
  }
  __syncthreads();
  if (slot < slot_count) slots[slot] = sum;
  __syncthreads();
}

// Adds the first rows of all blocks. Returns true in the threads of the finishing block; there the
// first row holds the sum, and `specials` of the first warp the non-finite values of all blocks.
//   rows        how many rows fit into `slots`
template <int slot_count, int rows>
__device__ inline bool add_blocks(std::int64_t* slots, unsigned& specials, std::byte* memory) {
  const int thread = thread_rank();
  const int blocks = static_cast<int>(gridDim.x);
  auto* const of_blocks = reinterpret_cast<std::int64_t*>(memory + 256);
  auto* const specials_of_blocks =
      reinterpret_cast<unsigned*>(of_blocks + std::int64_t{blocks} * slot_count);
  if (thread < slot_count) {
    of_blocks[std::int64_t{blockIdx.x} * slot_count + thread] = slots[thread];
  }
  if (thread == 0) specials_of_blocks[blockIdx.x] = specials;
  if (!is_last_block(reinterpret_cast<unsigned*>(memory))) return false;
  // A group of threads adds every `rows`-th block into its own row, one slot per thread.
  for (int i = thread; i < rows * slot_count; i += block_size()) {
    std::int64_t sum = 0;
    for (int block = i / slot_count; block < blocks; block += rows) {
      sum += of_blocks[std::int64_t{block} * slot_count + i % slot_count];
    }
    slots[i] = sum;
  }
  add_rows<slot_count>(slots, rows);
  if (thread < warp_size) {
    for (int block = thread; block < blocks; block += warp_size) {
      specials |= specials_of_blocks[block];
    }
    specials = warp::reduce(specials, bit_or{});
  }
  return true;
}

// Writes the sum in the slots, rounded or exact; called by one thread.
template <typename T>
__device__ inline void finish_exact(std::int64_t* slots, unsigned specials, T* result) {
  *result = round_exact<T>(slots, specials);
}
template <typename T>
__device__ inline void finish_exact(std::int64_t* slots, unsigned specials,
                                    exact_total<T>* result) {
  // Slots become 32-bit digits; the last one is signed.
  constexpr int last = exact_format<T>::slot_count - 1;
  std::int64_t carried = 0;
  for (int i = 0; i < last; ++i) {
    const std::int64_t digit = slots[i] + carried;
    result->slots[i] = digit & 0xffffffff;
    carried = digit >> 32;
  }
  result->slots[last] = slots[last] + carried;
  result->nans = (specials & has_nan) != 0 ? 1 : 0;
  result->plus_infinities = (specials & has_plus_infinity) != 0 ? 1 : 0;
  result->minus_infinities = (specials & has_minus_infinity) != 0 ? 1 : 0;
}

template <typename Tuning, typename T, typename Input, typename Result>
__global__ void __launch_bounds__(Tuning::threads, Tuning::blocks)
    exact_kernel(Input input, division divided, Result* result, std::byte* memory) {
  constexpr int slot_count = exact_format<T>::slot_count;
  constexpr int warps = Tuning::threads / warp_size;
  __shared__ std::int64_t slots[warps * slot_count];
  __shared__ unsigned specials_of_block;
  for (int i = thread_rank(); i < warps * slot_count; i += Tuning::threads) slots[i] = 0;
  if (thread_rank() == 0) specials_of_block = 0;
  __syncthreads();
  const own_loads_of<Input, loads_in_flight<Input, Tuning::in_flight>> own(divided);
  fetch_ahead<Tuning::bytes_fetched_ahead>(input, own);
  start_beside_others();
  sum_exactly<Tuning, T>(input, divided, own, slots + warp_rank() * slot_count, &specials_of_block);
  add_rows<slot_count>(slots, warps);
  pass_on<slot_count>(slots);
  unsigned specials = specials_of_block;
  if (gridDim.x > 1 && !add_blocks<slot_count, warps>(slots, specials, memory)) return;
  if (thread_rank() == 0) finish_exact(slots, specials, result);
}

template <typename Tuning, typename T, typename Input, typename Result>
void sum_range_exactly(workspace& workspace, const Input& input, std::int64_t count, Result* result,
                       source_location where) {
  static_assert(std::is_same_v<accumulator<element_of<Input>>, T>,
                "a reproducible sum has the type of its elements, or float for half and bfloat16");
  if (count < 0) throw error(cudaErrorInvalidValue, "a range has no negative count", where);
  constexpr int in_flight = loads_in_flight<Input, Tuning::in_flight>;
  constexpr int slot_count = exact_format<T>::slot_count;
  const auto kernel = &exact_kernel<Tuning, T, Input, Result>;
  division divided = divide(input, count);
  const std::int64_t wanted = (divided.loads + Tuning::threads - 1) / Tuning::threads;
  const std::int64_t most = std::min(workspace.resident_blocks(kernel, Tuning::threads, 0, where),
                                     int{Tuning::most_blocks});
  const int blocks = static_cast<int>(std::clamp<std::int64_t>(wanted, 1, most));
  count_rounds<in_flight>(divided, std::int64_t{blocks} * Tuning::threads);
  std::byte* memory = nullptr;
  if (blocks > 1) {
    const std::size_t of_block = slot_count * sizeof(std::int64_t) + sizeof(unsigned);
    memory = workspace.kept<exact_memory>(256 + blocks * of_block, where);
  }
  launch(workspace, {.blocks = blocks, .threads = Tuning::threads, .where = where}, kernel, input,
         divided, result, memory);
}

}  // namespace detail

// The exact sum of a range, rounded once to the nearest number, ties to even.
//   called by   one host thread; runs in the workspace's stream, in one launch, and can be captured
//               in a graph
//   input       float, half or bfloat16 for a sum in float, double for one in double; device memory
//               of any alignment, or an iterator; `count` may be above 2^31
//   result      device memory; written once
//   empty       gives 0; a sum of only zeros gives +0, whatever their signs
//   order       any: the result depends only on the elements, and has the same bits for every
//               order, grid and device, and on the CPU. A NaN, or infinities of both signs, give
//               one fixed NaN; otherwise an infinity stays
//   cost        about ten instructions per element, overlapped with the loads of the next ones.
//               This holds for zeros and for numbers within a factor of 2^30 of the largest of the
//               few hundred to few thousand that are read together. Smaller numbers, and floats
//               below 2^-104, take atomic additions to shared memory: exact, but many times slower
template <typename Tuning = reproducible_tuning, readable Input, typename T>
requires std::is_same_v<T, float> || std::is_same_v<T, double>
void reproducible_sum(workspace& workspace, const Input& input, std::int64_t count, T* result,
                      source_location where = source_location::current()) {
  detail::sum_range_exactly<Tuning, T>(workspace, input, count, result, where);
}
// The same sum before rounding, to be added to others.
template <typename Tuning = reproducible_tuning, readable Input, typename T>
void reproducible_sum(workspace& workspace, const Input& input, std::int64_t count,
                      exact_total<T>* result, source_location where = source_location::current()) {
  detail::sum_range_exactly<Tuning, T>(workspace, input, count, result, where);
}

}  // namespace heddle::device
