// Sorts what fits into the shared memory of one block or one cluster, all digits in one kernel.
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/device/kernel/launch.cuh>
#include <heddle/device/sort/key_code.cuh>
#include <heddle/device/sort/pass.cuh>
#include <heddle/device/sort/plan.cuh>
#include <heddle/device/sort/tile.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace heddle::device::detail {

inline constexpr int most_threads_in_shared = 1024;

// How a range is spread over the blocks of a cluster: each has `share` elements, the last ones
// fewer or none. A block's shared memory has the counters, then two buffers of keys and two of
// values.
struct shared_spread {
  int count;
  int share;
  std::uint32_t inverse;  // 2^32 / share, rounded up
  int warps;              // of a block

  shared_spread(int count, int blocks, int warps)
      : count(count),
        share(std::max((count + blocks - 1) / blocks, 2)),
        inverse(static_cast<std::uint32_t>(((std::uint64_t{1} << 32) + share - 1) / share)),
        warps(warps) {}

  // The block that has an element, exact as long as count * share is below 2^32.
  [[nodiscard]] __device__ int block_of(std::uint32_t place) const {
    return static_cast<int>(__umulhi(place, inverse));
  }

  template <typename T>
  [[nodiscard]] __host__ __device__ int buffer_bytes() const {
    return (share * static_cast<int>(sizeof(T)) + 15) / 16 * 16;
  }
  [[nodiscard]] __host__ __device__ int keys_at() const { return digit_counters::bytes_for(warps); }
  template <typename Word>
  [[nodiscard]] __host__ __device__ int values_at() const {
    return keys_at() + 2 * buffer_bytes<Word>();
  }
  template <typename Word, typename Value>
  [[nodiscard]] __host__ __device__ int bytes() const {
    return values_at<Word>() + (is_value<Value> ? 2 * buffer_bytes<Value>() : 0);
  }
};

// The two buffers of a block: one is read, the other one written.
template <typename T>
struct buffer_pair {
  T* from;
  T* to;

  __device__ buffer_pair(std::byte* memory, int bytes)
      : from(reinterpret_cast<T*>(memory)), to(reinterpret_cast<T*>(memory + bytes)) {}
  __device__ void swap() {
    T* const other = from;
    from = to;
    to = other;
  }
};

// The input may be the output.
//   is_cluster  one cluster instead of one block
//   values      null: the value of each key is its place
template <bool is_cluster, typename Word, typename Value>
__global__ void __launch_bounds__(most_threads_in_shared, 1)
    sort_in_shared_kernel(const Word* keys, const Value* values, Word* sorted_keys,
                          Value* sorted_values, key_code<Word> code, key_digits digits,
                          shared_spread spread) {
  extern __shared__ uint4 sort_memory[];
  __shared__ std::uint32_t warp_counts[digit_values / warp_size];
  __shared__ std::uint32_t block_counts[2][digit_values];
  std::byte* const memory = reinterpret_cast<std::byte*>(sort_memory);
  digit_counters counters(reinterpret_cast<std::uint32_t*>(memory));
  buffer_pair<Word> words(memory + spread.keys_at(), spread.buffer_bytes<Word>());
  buffer_pair<Value> carried(memory + spread.values_at<Word>(), spread.buffer_bytes<Value>());
  const int thread = thread_rank(), threads = block_size(), warps = threads / warp_size;
  const int block = is_cluster ? cluster::block_rank() : 0;
  const int begin = block * spread.share;
  const int own = max(min(spread.count - begin, spread.share), 0);
  start_in_stream_order();
  for (int i = thread; i < own; i += threads) {
    words.from[i] = code.encode(keys[begin + i]);
    if constexpr (std::is_integral_v<Value>) {
      carried.from[i] = values == nullptr ? static_cast<Value>(begin + i) : values[begin + i];
    } else if constexpr (is_value<Value>) {
      carried.from[i] = values[begin + i];
    }
  }
  // A warp has consecutive rows, a lane a key of each row.
  const int rows = (own + threads - 1) / threads;
  const int first = shuffle(all_lanes, warp_rank(), 0) * rows * warp_size;
  const int last = min(first + rows * warp_size, own);
  const bool has_digit = agreed(thread < digit_values);
  __syncthreads();
  for (int pass = 0; pass < digits.passes; ++pass) {
    const key_digit digit = digits[pass];
    counters.clear();
    for (int i = first + lane_id(); i < last; i += warp_size) {
      counters.count(digit.of(words.from[i]));
    }
    __syncthreads();
    // Thread d counts digit d: in all blocks, and in those before its own.
    std::uint32_t total = 0, before = 0;
    if (has_digit) total = counters.total(thread, warps);
    if constexpr (is_cluster) {
      // A block may be a pass ahead of those that still read what it wrote.
      if (has_digit) block_counts[pass % 2][thread] = total;
      cluster::arrive();
      cluster::wait();
      if (has_digit) {
        total = 0;
        for (int other = 0; other < cluster::blocks(); ++other) {
          const std::uint32_t counted = *cluster::in_block(&block_counts[pass % 2][thread], other);
          before += other < block ? counted : 0u;
          total += counted;
        }
      }
    }
    // Nothing moves if all keys have the same digit.
    const bool is_constant = has_digit && total == static_cast<std::uint32_t>(spread.count);
    if (__syncthreads_or(is_constant ? 1 : 0) != 0) continue;
    const std::uint32_t first_place = begin_of_digit(total, warp_counts) + before;
    if (has_digit) counters.make_places(thread, warps, first_place);
    __syncthreads();
    for (int row = first; row < last; row += warp_size) {
      const int i = row + lane_id();
      const bool is_there = i < last;
      // Lanes without a key pretend to have the last one: they come after all others.
      const Word key = is_there ? words.from[i] : Word{0};
      const std::uint32_t place =
          counters.take_in_order<false>(is_there ? digit.of(key) : digit.mask);
      if (!is_there) continue;
      const int to_block = is_cluster ? spread.block_of(place) : 0;
      const auto at = static_cast<int>(place) - to_block * spread.share;
      if constexpr (is_cluster) {
        *cluster::in_block(words.to + at, to_block) = key;
        if constexpr (is_value<Value>) {
          *cluster::in_block(carried.to + at, to_block) = carried.from[i];
        }
      } else {
        words.to[at] = key;
        if constexpr (is_value<Value>) carried.to[at] = carried.from[i];
      }
    }
    if constexpr (is_cluster) {
      cluster::arrive();
      cluster::wait();
    } else {
      __syncthreads();
    }
    words.swap();
    carried.swap();
  }
  if constexpr (is_cluster) cluster::arrive();
  for (int i = thread; i < own; i += threads) {
    sorted_keys[begin + i] = code.decode(words.from[i]);
    if constexpr (is_value<Value>) sorted_values[begin + i] = carried.from[i];
  }
  // Other blocks may still read the counts of this one.
  if constexpr (is_cluster) cluster::wait();
}

}  // namespace heddle::device::detail
