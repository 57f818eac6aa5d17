// The kernels that count a histogram: in shared memory, in parts of the bins, or in global memory.
#pragma once
#include <heddle/core/features.cuh>
#include <heddle/core/lane.cuh>
#include <heddle/device/histogram/clearing.cuh>
#include <heddle/device/histogram/counters.cuh>
#include <heddle/device/kernel/gather.cuh>
#include <heddle/device/kernel/launch.cuh>
#include <heddle/warp/histogram.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace heddle::device::detail {

// How many threads a multiprocessor holds; some architectures have room for fewer. Only for launch
// bounds, which host code does not see.
inline constexpr int threads_of_multiprocessor = compiled_architecture == 75    ? 1024
                                                 : compiled_architecture == 86  ? 1536
                                                 : compiled_architecture == 87  ? 1536
                                                 : compiled_architecture == 89  ? 1536
                                                 : compiled_architecture >= 120 ? 1536
                                                                                : 2048;
// As many blocks as are wanted and fit.
template <int wanted, int threads>
inline constexpr int blocks_with_room = std::clamp(threads_of_multiprocessor / threads, 1, wanted);

// The bytes of a range before and after its whole vectors.
struct loose_bytes {
  const std::byte* start;
  int before;  // from `start` on
  const std::byte* end;
  int after;  // from `end` on
};

template <typename Element>
[[nodiscard]] __device__ inline Element element_of_byte(int byte) {
  static_assert(sizeof(Element) == 1, "such an element is a byte");
  const auto bits = static_cast<std::uint8_t>(byte);
  Element element;
  std::memcpy(static_cast<void*>(&element), &bits, 1);
  return element;
}

// For values of one byte: counts each of the 256 values, then asks the map for the bin of each.
//   input       whole vectors; `loose` is the rest
template <typename Tuning, typename Element, typename Map, typename Counter>
__global__ void __launch_bounds__(Tuning::byte_threads,
                                  blocks_with_room<Tuning::byte_blocks, Tuning::byte_threads>)
    byte_histogram_kernel(const uint4* input, division divided, loose_bytes loose, Map map,
                          counter_clearing clearing, Counter* counts) {
  constexpr int values = 256;
  constexpr int column_bits = Tuning::byte_column_bits;
  __shared__ std::uint32_t words[values << column_bits];
  counted_in_columns counters(words, column_bits);
  counters.clear(values);
  __syncthreads();
  start_in_stream_order();
  clearing.start(counts);
  const auto count_word = [&](std::uint32_t word) {
    // Counts four equal bytes at once, because counting takes longer than reading.
    if (word == __byte_perm(word, 0, 0x0000)) {
      counters.count(static_cast<int>(word & 0xffu), 4);
      return;
    }
#pragma unroll
    for (int shift = 0; shift < 32; shift += 8) {
      counters.count(static_cast<int>(word >> shift & 0xffu));
    }
  };
  gather<Tuning::byte_in_flight, Tuning::hint>(
      input, divided,
      [&](const uint4(&loaded)[1], std::uint32_t, bool is_there) {
        if (!is_there) return;
        count_word(loaded[0].x);
        count_word(loaded[0].y);
        count_word(loaded[0].z);
        count_word(loaded[0].w);
      },
      [](const uint4&, std::int64_t) {});
  if (blockIdx.x == 0) {
    const int thread = static_cast<int>(threadIdx.x);
    if (thread < loose.before) counters.count(static_cast<int>(loose.start[thread]));
    if (thread < loose.after) counters.count(static_cast<int>(loose.end[thread]));
  }
  if (threadIdx.x == 0) clearing.wait();
  __syncthreads();
  for (int value = static_cast<int>(threadIdx.x); value < values; value += Tuning::byte_threads) {
    add_bin_of_values(counts, map(element_of_byte<Element>(value)), counters.total(value));
  }
}

// How blocks count in shared memory: many small blocks, or one with room for many bins.
template <typename Tuning, bool has_many_bins>
struct shared_blocks {
  static constexpr int threads = has_many_bins ? Tuning::large_threads : Tuning::threads;
  static constexpr int blocks = has_many_bins ? 1 : Tuning::blocks;
  static constexpr int in_flight = has_many_bins ? Tuning::large_in_flight : Tuning::in_flight;
  static constexpr caching hint = Tuning::hint;
};

// Counts bins in shared memory, in columns. Blocks of row blockIdx.y count that part of the bins,
// `part_bins` each.
template <typename Blocks, typename Input, typename Map, typename Counter>
__global__ void __launch_bounds__(Blocks::threads,
                                  blocks_with_room<Blocks::blocks, Blocks::threads>)
    shared_histogram_kernel(Input input, division divided, Map given_map, int bins, int part_bins,
                            int column_bits, bool has_table, counter_clearing clearing,
                            Counter* counts) {
  extern __shared__ uint4 histogram_memory[];
  const int first = static_cast<int>(blockIdx.y) * part_bins;
  const int own_bins = bins - first < part_bins ? bins - first : part_bins;
  auto* const words = reinterpret_cast<std::uint32_t*>(histogram_memory);
  counted_in_columns counters(words, column_bits);
  counters.clear(own_bins);
  start_in_stream_order();
  clearing.start(counts);
  Map map = given_map;
  if (has_table) {
    // The counters fill whole 16-byte units before the table.
    const int used = ((part_bins << column_bits) + 3) / 4;
    map = given_map.template with_table<element_of<Input>>(
        reinterpret_cast<std::byte*>(histogram_memory + used));
  }
  __syncthreads();
  const auto count_value = [&](const auto& value) {
    const int bin = map(value) - first;
    if (static_cast<unsigned>(bin) < static_cast<unsigned>(own_bins)) counters.count(bin);
  };
  gather<loads_in_flight<Input, Blocks::in_flight>, Blocks::hint>(
      input, divided,
      [&](const auto& values, std::uint32_t, bool is_there) {
        if (!is_there) return;
#pragma unroll
        for (int i = 0; i < loaded<Input>::length; ++i) count_value(values[i]);
      },
      [&](const auto& value, std::int64_t) { count_value(value); });
  if (threadIdx.x == 0) clearing.wait();
  __syncthreads();
  for_each_own_bin(own_bins, [&](int bin) {
    const std::uint32_t total = counters.total(bin);
    if (total != 0) add_to_counter(counts + first + bin, total);
  });
}

// The bins of a load's values.
template <typename Map, typename Element, int length>
__device__ inline void map_values(const Map& map, const Element (&values)[length],
                                  int (&bins)[length]) {
#pragma unroll
  for (int i = 0; i < length; ++i) bins[i] = map(values[i]);
}

// Loads in flight per thread for packed counters.
template <typename Tuning, typename Input>
inline constexpr int packed_in_flight = std::min(loads_in_flight<Input, Tuning::large_in_flight>,
                                                 std::max(1, (1 << 14) / (Tuning::large_threads *
                                                                          loaded<Input>::length)));

// Counts bins in shared memory with packed counters. Blocks of row blockIdx.y count that part.
template <typename Tuning, typename Input, typename Map, typename Counter>
__global__ void __launch_bounds__(Tuning::large_threads, 1)
    packed_histogram_kernel(Input input, division divided, Map map, int bins, int part_bins,
                            Counter* counts) {
  constexpr int in_flight = packed_in_flight<Tuning, Input>;
  constexpr int length = loaded<Input>::length;
  // After its last barrier a block counts fewer than this many rounds, then the rest, at most one
  // round, and the loose elements, fewer than two vectors.
  constexpr int values_of_round = in_flight * length * Tuning::large_threads;
  constexpr int rounds_between_barriers =
      (packed_counters<Counter>::most_between_barriers - 2 * vector_bytes) / values_of_round;
  static_assert(rounds_between_barriers >= 1, "a round must not fill a packed counter");
  extern __shared__ uint4 histogram_memory[];
  const int first = static_cast<int>(blockIdx.y) * part_bins;
  const int own_bins = bins - first < part_bins ? bins - first : part_bins;
  packed_counters<Counter> counters(reinterpret_cast<std::uint32_t*>(histogram_memory),
                                    (own_bins + 1) / 2, counts + first);
  counters.clear();
  __syncthreads();
  start_in_stream_order();
  warp_run<Counter> run(counts);
  const auto steps_of_blocks = static_cast<std::uint32_t>(divided.rounds) * in_flight;
  gather<in_flight, Tuning::hint>(
      input, divided,
      [&](const auto& values, std::uint32_t step, bool is_there) {
        if (!is_there) return;
        int found[length];
        map_values(map, values, found);
        const bool is_whole_round = step < steps_of_blocks;
#pragma unroll
        for (int& bin : found) {
          bin = static_cast<unsigned>(bin - first) < static_cast<unsigned>(own_bins) ? bin : -1;
        }
        if (is_whole_round && run.takes(found)) {
          // All lanes of the warp have counted this load.
        } else {
#pragma unroll
          for (int& bin : found) bin -= first;
          counters.count(found, own_bins);
        }
        if (is_whole_round && (step + 1) % (rounds_between_barriers * in_flight) == 0) {
          __syncthreads();
        }
      },
      [&](const auto& value, std::int64_t) {
        const int found[1]{map(value) - first};
        counters.count(found, own_bins);
      });
  run.close();
  __syncthreads();
  counters.hand_over();
}

// Counts bins in global memory.
template <typename Tuning, typename Input, typename Map, typename Counter>
__global__ void __launch_bounds__(Tuning::threads)
    global_histogram_kernel(Input input, division divided, Map map, Counter* counts) {
  constexpr int in_flight = loads_in_flight<Input, Tuning::large_in_flight>;
  constexpr int length = loaded<Input>::length;
  start_in_stream_order();
  warp_run<Counter> run(counts);
  const auto steps_of_warps = static_cast<std::uint32_t>(divided.rounds) * in_flight;
  gather<in_flight, Tuning::hint>(
      input, divided,
      [&](const auto& values, std::uint32_t step, bool is_there) {
        if (!is_there) return;
        int bins[length];
        map_values(map, values, bins);
        // After the whole rounds some lanes of a warp may be missing.
        const bool is_whole_warp = step < steps_of_warps;
        if (is_whole_warp && run.takes(bins)) return;
#pragma unroll
        for (int i = 0; i < length; ++i) {
          if (Tuning::matches && is_whole_warp) {
            warp::count_in_bins(counts, bins[i]);
          } else if (bins[i] >= 0) {
            add_to_counter(counts + bins[i], 1);
          }
        }
      },
      [&](const auto& value, std::int64_t) {
        const int bin = map(value);
        if (bin >= 0) add_to_counter(counts + bin, 1);
      });
  run.close();
}

}  // namespace heddle::device::detail
