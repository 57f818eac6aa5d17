// Counts how many values of a range fall into each bin.
//   strategy    each block counts in shared memory and adds its counters to global memory; many
//               bins are counted in parts, very many directly in global memory
//   needs       sm_75; early start sm_90
#pragma once
#include <heddle/device/bins.cuh>
#include <heddle/device/histogram/clearing.cuh>
#include <heddle/device/histogram/edge_map.cuh>
#include <heddle/device/histogram/kernels.cuh>
#include <heddle/device/histogram/launch.cuh>
#include <heddle/device/kernel/gather.cuh>
#include <heddle/device/kernel/launch.cuh>
#include <heddle/device/workspace.cuh>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace heddle::device {

// How a histogram is spread over the device, tuned for an H200. To change it, derive from it and
// hide what you change.
struct histogram_tuning {
  // Values of one byte: all 256 counters, in columns: see counted_in_columns.
  static constexpr int byte_threads = 512;
  static constexpr int byte_blocks = 4;     // per multiprocessor, at least; limits the registers
  static constexpr int byte_in_flight = 2;  // 16-byte loads in flight per thread
  static constexpr int byte_column_bits = 5;
  // Bins that fit in shared memory.
  static constexpr int threads = 512;
  static constexpr int blocks = 4;
  static constexpr int in_flight = 2;
  static constexpr int share = 4;  // loads per thread, at least, if there are many blocks
  static constexpr int column_bytes = 32 * 1024;  // at most this much for copies of the bins
  static constexpr int table_bytes = 64 * 1024;   // of edges that are copied to shared memory
  static constexpr int cleared_bins = 16 * 1024;  // up to this many are zeroed by the kernel itself
  // Bins that do not fit are counted in parts, each by its own blocks, which all read the whole
  // input.
  static constexpr int large_bins = 2048;  // from here on, blocks are few and large
  static constexpr int large_threads = 1024;
  static constexpr int large_in_flight = 4;
  static constexpr int most_parts = 20;
  static constexpr int least_values_per_bin = 16;  // for large histograms to pay off
  // Uses 16-bit counters if that saves a part: a little faster on noise, half as fast if a few bins
  // get most of the values.
  static constexpr bool packs = false;
  // Histograms for which shared memory does not pay off are counted in global memory.
  static constexpr bool matches = true;  // lanes that hit the same bin add up first
  // The most shared memory a block takes, if the device has that much.
  static constexpr std::size_t most_shared_bytes = ~std::size_t{0};
  // The most elements per launch, so that 32-bit counters suffice.
  static constexpr std::int64_t most_elements = std::int64_t{1} << 31;
  static constexpr caching hint = caching::normal;  // of the loads
};

// Whether the counters are overwritten or added to.
enum class histogram_output { set, add };

// Counters have 32 or 64 bits; overflow wraps around.
template <typename Counter>
concept counts_values =
    std::integral<Counter> && !std::is_same_v<Counter, bool> && sizeof(Counter) >= 4;

namespace detail {

// A range without its first elements.
template <typename Input>
struct later_input {
  Input input;
  std::int64_t first;
  __host__ __device__ decltype(auto) operator[](std::int64_t i) const { return input[first + i]; }
};
template <typename Input>
[[nodiscard]] auto input_from(const Input& input, std::int64_t first) {
  if constexpr (std::is_pointer_v<Input>) {
    return input + first;
  } else {
    return later_input<Input>{input, first};
  }
}

// One launch on a range: what to count, and where.
template <typename Tuning, typename Input, typename Map, typename Counter>
class histogram_call {
 public:
  histogram_call(workspace& workspace, const Input& input, std::int64_t count, const Map& map,
                 std::int64_t bins, Counter* counts, bool clears, source_location where)
      : workspace_(workspace),
        input_(input),
        count_(count),
        map_(map),
        bins_(static_cast<int>(bins)),
        counts_(counts),
        clears_(clears),
        where_(where) {}

  void run() {
    if constexpr (sizeof(element) == 1 && std::is_pointer_v<Input>) {
      count_bytes();
    } else {
      // With few values per bin, clearing and handing over the bins would take longer than
      // counting.
      const bool is_worth_it = bins_ < Tuning::large_bins || count_ >= least_count();
      const int parts = parts_of(4);
      const int packed_parts = parts_of(2);
      if (!is_worth_it ||
          std::min(parts, Tuning::packs ? packed_parts : parts) > Tuning::most_parts) {
        count_in_global_memory();
      } else if (Tuning::packs && packed_parts < parts) {
        count_packed(packed_parts);
      } else if (bins_ >= Tuning::large_bins) {
        count_in_shared_memory<true>(parts);
      } else {
        count_in_shared_memory<false>(parts);
      }
    }
  }

 private:
  using element = element_of<Input>;

  // Up to Tuning::cleared_bins counters are zeroed by the kernel that later adds to them, otherwise
  // by a kernel before it.
  [[nodiscard]] counter_clearing clearing() {
    if (!clears_) return {};
    if (bins_ <= Tuning::cleared_bins) {
      return {workspace_.kept<clearing_memory>(counter_clearing::bytes, where_), bins_};
    }
    clear_counters(workspace_, counts_, bins_, where_);
    return {};
  }
  [[nodiscard]] std::int64_t least_count() const {
    return std::int64_t{Tuning::least_values_per_bin} * bins_;
  }
  [[nodiscard]] std::size_t shared_limit() const {
    return std::min(workspace_.facts().shared_bytes_per_block, Tuning::most_shared_bytes) / 16 * 16;
  }
  // How many times shared memory must be filled to hold all bins, at this many bytes per bin.
  [[nodiscard]] int parts_of(int bytes_per_bin) const {
    const auto fitting = static_cast<std::int64_t>(shared_limit()) / bytes_per_bin;
    return static_cast<int>((bins_ + fitting - 1) / fitting);
  }
  // Bins per part: parts are as equal as possible, and even.
  [[nodiscard]] int bins_of_part(int parts) const {
    const int equal = (bins_ + parts - 1) / parts;
    return parts == 1 ? equal : std::min(equal + equal % 2, bins_);
  }

  void count_bytes() {
    const auto* const bytes = reinterpret_cast<const std::byte*>(input_);
    const auto split = split_vectors(bytes, count_);
    const bool has_vectors = split.begin < split.end;
    // Without whole vectors all bytes are loose; there are fewer than two vectors of them.
    const loose_bytes loose{bytes, static_cast<int>(split.begin), bytes + split.end,
                            static_cast<int>(count_ - split.end)};
    const std::int64_t vectors = (split.end - split.begin) / vector_bytes;
    const auto kernel = &byte_histogram_kernel<Tuning, element, Map, Counter>;
    histogram_shape shape;
    shape.where = where_;
    shape.threads = Tuning::byte_threads;
    division divided{0, vectors, vectors, vectors, 0};
    constexpr int in_flight = Tuning::byte_in_flight;
    shape.blocks = blocks_for(divided, shape.threads, in_flight, workspace_.multiprocessors(),
                              resident_blocks(workspace_, shape, kernel));
    count_rounds<in_flight>(divided, std::int64_t{shape.blocks} * shape.threads);
    const auto* const words =
        has_vectors ? reinterpret_cast<const uint4*>(bytes + split.begin) : nullptr;
    launch_histogram(workspace_, shape, kernel, words, divided, loose, map_, clearing(), counts_);
  }

  template <bool has_many_bins>
  void count_in_shared_memory(int parts) {
    using blocks = shared_blocks<Tuning, has_many_bins>;
    const auto kernel = &shared_histogram_kernel<blocks, Input, Map, Counter>;
    constexpr int in_flight = loads_in_flight<Input, blocks::in_flight>;
    histogram_shape shape;
    shape.where = where_;
    shape.parts = parts;
    const int part_bins = bins_of_part(parts);
    int column_bits = 5;
    // At most one counter per two values of a multiprocessor, because counters have to be cleared.
    const std::int64_t most_counters = std::min<std::int64_t>(
        Tuning::column_bytes / 4, count_ / (2 * workspace_.multiprocessors()));
    while (column_bits > 0 && std::int64_t{part_bins} << column_bits > most_counters) {
      --column_bits;
    }
    shape.shared_bytes = (static_cast<std::size_t>(part_bins << column_bits) * 4 + 15) / 16 * 16;
    const std::size_t table = map_.table_bytes();
    const bool has_table =
        table > 0 && table <= Tuning::table_bytes && shape.shared_bytes + table <= shared_limit();
    if (has_table) shape.shared_bytes += (table + 15) / 16 * 16;
    shape.threads = blocks::threads;
    division divided = divide(input_, count_);
    int resident = resident_blocks(workspace_, shape, kernel);
    // Each block hands over all its bins, so with many bins use one block per multiprocessor.
    if (has_many_bins) resident = std::min(resident, workspace_.multiprocessors());
    shape.blocks = blocks_for(divided, shape.threads, loads_in_flight<Input, Tuning::share>,
                              has_many_bins ? 1 : workspace_.multiprocessors(), resident / parts);
    count_rounds<in_flight>(divided, std::int64_t{shape.blocks} * shape.threads);
    launch_histogram(workspace_, shape, kernel, input_, divided, map_, bins_, part_bins,
                     column_bits, has_table, clearing(), counts_);
  }

  void count_packed(int parts) {
    const auto kernel = &packed_histogram_kernel<Tuning, Input, Map, Counter>;
    constexpr int in_flight = packed_in_flight<Tuning, Input>;
    histogram_shape shape;
    shape.where = where_;
    shape.parts = parts;
    shape.threads = Tuning::large_threads;
    const int part_bins = bins_of_part(parts);
    shape.shared_bytes = (static_cast<std::size_t>(part_bins + 1) / 2 * 4 + 15) / 16 * 16;
    division divided = divide(input_, count_);
    const int resident =
        std::min(resident_blocks(workspace_, shape, kernel), workspace_.multiprocessors());
    shape.blocks = blocks_for(divided, shape.threads, in_flight, 1, resident / parts);
    count_rounds<in_flight>(divided, std::int64_t{shape.blocks} * shape.threads);
    if (clears_) clear_counters(workspace_, counts_, bins_, where_);
    launch_histogram(workspace_, shape, kernel, input_, divided, map_, bins_, part_bins, counts_);
  }

  void count_in_global_memory() {
    const auto kernel = &global_histogram_kernel<Tuning, Input, Map, Counter>;
    constexpr int in_flight = loads_in_flight<Input, Tuning::large_in_flight>;
    histogram_shape shape;
    shape.where = where_;
    shape.threads = Tuning::threads;
    division divided = divide(input_, count_);
    shape.blocks =
        blocks_for(divided, shape.threads, 1, 1, resident_blocks(workspace_, shape, kernel));
    count_rounds<in_flight>(divided, std::int64_t{shape.blocks} * shape.threads);
    if (clears_) clear_counters(workspace_, counts_, bins_, where_);
    launch_histogram(workspace_, shape, kernel, input_, divided, map_, counts_);
  }

  workspace& workspace_;
  Input input_;
  std::int64_t count_;
  Map map_;
  int bins_;
  Counter* counts_;
  bool clears_;
  source_location where_;
};

template <typename Tuning, typename Input, typename Map, typename Counter>
void count_with_map(workspace& workspace, const Input& input, std::int64_t count, const Map& map,
                    std::int64_t bins, Counter* counts, histogram_output output,
                    source_location where) {
  if (count == 0 && output == histogram_output::set) clear_counters(workspace, counts, bins, where);
  for (std::int64_t first = 0; first < count; first += Tuning::most_elements) {
    const auto part = input_from(input, first);
    histogram_call<Tuning, std::remove_const_t<decltype(part)>, Map, Counter>(
        workspace, part, std::min(count - first, Tuning::most_elements), map, bins, counts,
        first == 0 && output == histogram_output::set, where)
        .run();
  }
}

inline void check_value_count(std::int64_t count, source_location where) {
  if (count < 0) throw error(cudaErrorInvalidValue, "a range has no negative count", where);
}

}  // namespace detail

// Both functions count the values of a range in bins, with one counter of `counts` per bin.
//   called by   a host thread; runs in the workspace's stream, in one launch per 2^31 values, plus
//               one before them if more than 16,384 counters are set rather than added to
//   input       a pointer of any alignment, which is read 16 bytes at a time, or anything else that
//               is `readable`; its values are numbers
//   counts      in device memory, not part of the input; values without a bin are not counted
//   cost        the input is read once, at memory speed, if shared memory has room for all bins, 4
//               bytes each (58,000 bins on Hopper); otherwise once per such part of the bins, from
//               L2. With more than Tuning::most_parts parts, or with fewer than 16 values for each
//               of many bins: one atomic addition in global memory per distinct bin of a warp's 32
//               values

// Counts in bins of equal width; see even_bins for how a value's bin is computed.
template <typename Tuning = histogram_tuning, readable Input, typename Bound, counts_values Counter>
void histogram(workspace& workspace, const Input& input, std::int64_t count,
               const even_bins<Bound>& bins, Counter* counts,
               histogram_output output = histogram_output::set,
               source_location where = source_location::current()) {
  using element = element_of<Input>;
  detail::check_value_count(count, where);
  detail::check_bin_count(bins.count, where);
  if constexpr (detail::is_counted_exactly<element, Bound>) {
    const auto [map, has_values] = detail::integer_map_for<element>(bins, where);
    detail::count_with_map<Tuning>(workspace, input, has_values ? count : 0, map, bins.count,
                                   counts, output, where);
  } else {
    const auto map = detail::floating_map_for<element>(bins, where);
    detail::count_with_map<Tuning>(workspace, input, count, map, bins.count, counts, output, where);
  }
}

// Counts in bins between edges.
//   cost        additionally a search among the edges for each value wider than a byte. Up to a few
//               thousand edges are held in shared memory under a grid of cells: one lookup of the
//               value's cell, then log2 steps over the cell's edges, usually one. Otherwise
//               log2(bins) steps
template <typename Tuning = histogram_tuning, readable Input, typename Edge, counts_values Counter>
void histogram(workspace& workspace, const Input& input, std::int64_t count,
               const bin_edges<Edge>& bins, Counter* counts,
               histogram_output output = histogram_output::set,
               source_location where = source_location::current()) {
  detail::check_value_count(count, where);
  detail::check_bin_count(bins.count, where);
  const int edges = static_cast<int>(bins.count) + 1;
  const detail::edge_map<Edge> map{bins.edges, edges};
  detail::count_with_map<Tuning>(workspace, input, count, map, bins.count, counts, output, where);
}

}  // namespace heddle::device
