// The counters of a histogram's block: in columns, packed in pairs, or in registers.
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/warp/histogram.cuh>

#include <cstdint>

namespace heddle::device::detail {

template <typename Counter>
__device__ inline void add_to_counter(Counter* counter, std::uint32_t count) {
  if constexpr (sizeof(Counter) == 8) {
    atomicAdd(reinterpret_cast<unsigned long long*>(counter), count);
  } else {
    atomicAdd(reinterpret_cast<unsigned*>(counter), count);
  }
}

// Counters of a block in shared memory, each in 2^column_bits columns. A lane counts in column lane
// % columns, so lanes of different columns never contend. With 32 columns each lane has a bank to
// itself, whatever the values.
class counted_in_columns {
 public:
  __device__ counted_in_columns(std::uint32_t* words, int column_bits)
      : words_(words), column_bits_(column_bits), own_(lane_id() & ((1 << column_bits) - 1)) {}

  //   called by   every thread of a one-dimensional block; needs a barrier before the first count
  __device__ void clear(int bins) {
    const int words = bins << column_bits_;
    for (int i = static_cast<int>(threadIdx.x); i < words; i += static_cast<int>(blockDim.x)) {
      words_[i] = 0;
    }
  }
  // The hardware merges additions of 1 by lanes that hit the same word, if the result is unused.
  __device__ void count(int bin, std::uint32_t values = 1) {
    atomicAdd(words_ + (bin << column_bits_ | own_), values);
  }

  [[nodiscard]] __device__ std::uint32_t total(int bin) const {
    const int columns = 1 << column_bits_;
    std::uint32_t sum = 0;
    // Each lane starts in a different column, hence in a different bank.
    for (int i = 0; i < columns; ++i) {
      sum += words_[(bin << column_bits_) + ((bin + i) & (columns - 1))];
    }
    return sum;
  }

 private:
  std::uint32_t* words_;
  int column_bits_;
  int own_;  // column
};

// Where a block starts to hand over its bins; it differs from block to block to avoid contention.
[[nodiscard]] __device__ inline int first_bin_to_add(int bins) {
  const auto first = static_cast<std::int64_t>(bins) * blockIdx.x / gridDim.x;
  return static_cast<int>(first) / warp_size * warp_size;
}

// Calls visit(bin) for the caller's share of `bins`; neighbouring lanes get neighbouring bins.
template <typename Visit>
__device__ inline void for_each_own_bin(int bins, Visit&& visit) {
  const int first = first_bin_to_add(bins);
  for (int i = static_cast<int>(threadIdx.x); i < bins; i += static_cast<int>(blockDim.x)) {
    const int bin = first + i;
    visit(bin < bins ? bin : bin - bins);
  }
}

// Adds a value's count to its bin. If a bin is wider than one value, lanes that share it add up
// first; they are neighbours, because bins ascend with the values.
//   called by   all lanes of a warp, with consecutive values
template <typename Counter>
__device__ inline void add_bin_of_values(Counter* counts, int bin, std::uint32_t total) {
  const int next = __shfl_down_sync(all_lanes, bin, 1);
  if (__any_sync(all_lanes, lane_id() < warp_size - 1 && next == bin)) {
    warp::add_to_bins(counts, bin, static_cast<Counter>(total));
  } else if (bin >= 0 && total != 0) {
    add_to_counter(counts + bin, total);
  }
}

// 16-bit counters in shared memory, two per word: bins i and i + half. The thread that brings a
// counter to a multiple of `brim` moves that many counts to global memory. After a barrier all of
// these moves are done and every counter is below the brim. Until the next barrier the block counts
// at most `most_between_barriers` values, so no counter overflows.
template <typename Counter>
class packed_counters {
 public:
  static constexpr std::uint32_t brim = 1u << 12;
  static constexpr int most_between_barriers = (1 << 16) - static_cast<int>(brim);

  __device__ packed_counters(std::uint32_t* words, int half, Counter* counts)
      : words_(words), half_(half), counts_(counts) {}

  __device__ void clear() {
    for (int i = static_cast<int>(threadIdx.x); i < half_; i += static_cast<int>(blockDim.x)) {
      words_[i] = 0;
    }
  }
  // Counts `length` values at once, so that their atomics are in flight together; bins outside 0 …
  // own_bins - 1 are ignored.
  template <int length>
  __device__ void count(const int (&bins)[length], int own_bins) {
    std::uint32_t found[length];
#pragma unroll
    for (int i = 0; i < length; ++i) {
      found[i] = 0;
      if (static_cast<unsigned>(bins[i]) < static_cast<unsigned>(own_bins)) {
        found[i] =
            atomicAdd(words_ + word_of(bins[i]), 1u << shift_of(bins[i])) >> shift_of(bins[i]);
      }
    }
#pragma unroll
    for (int i = 0; i < length; ++i) {
      if ((found[i] & (brim - 1)) == brim - 1) {
        atomicSub(words_ + word_of(bins[i]), brim << shift_of(bins[i]));
        add_to_counter(counts_ + bins[i], brim);
      }
    }
  }
  // Hands over both bins of a word together.
  __device__ void hand_over() {
    for_each_own_bin(half_, [&](int bin) {
      const std::uint32_t both = words_[bin];
      if ((both & 0xffffu) != 0) add_to_counter(counts_ + bin, both & 0xffffu);
      if (both >> 16 != 0) add_to_counter(counts_ + bin + half_, both >> 16);
    });
  }

 private:
  __device__ int word_of(int bin) const { return bin < half_ ? bin : bin - half_; }
  __device__ int shift_of(int bin) const { return bin < half_ ? 0 : 16; }
  std::uint32_t* words_;
  int half_;
  Counter* counts_;
};

// Counts in registers while all lanes of a warp hit the same bin, load after load. This keeps
// constant data from contending in atomics.
template <typename Counter>
class warp_run {
 public:
  __device__ explicit warp_run(Counter* counts) : counts_(counts) {}

  // Returns true if all lanes have the same single bin; their values are then counted.
  //   called by   all lanes of a warp
  template <int length>
  [[nodiscard]] __device__ bool takes(const int (&bins)[length]) {
    bool is_one = true;
#pragma unroll
    for (int i = 1; i < length; ++i) is_one &= bins[i] == bins[0];
    const int first = __shfl_sync(all_lanes, bins[0], 0);
    if (!__all_sync(all_lanes, is_one && bins[0] == first)) return false;
    if (first != bin_) close();
    bin_ = first;
    values_ += length;
    return true;
  }
  // Hands over what was counted.
  __device__ void close() {
    if (bin_ >= 0 && values_ != 0 && lane_id() == 0) {
      add_to_counter(counts_ + bin_, values_ * warp_size);
    }
    values_ = 0;
  }

 private:
  Counter* counts_;
  int bin_ = -1;              // the same in all lanes
  std::uint32_t values_ = 0;  // counted per lane in that bin; the same in all lanes
};

}  // namespace heddle::device::detail
