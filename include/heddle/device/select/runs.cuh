// Reduces runs of equal keys, tile by tile: the combined values of each run, and its key.
#pragma once
#include <heddle/core/operators.cuh>
#include <heddle/core/words.cuh>
#include <heddle/device/select/compaction.cuh>
#include <heddle/device/select/run_rows.cuh>

#include <cstdint>
#include <type_traits>

namespace heddle::device::detail {

// Summary of contiguous elements: how many runs begin there, and the result of the last of these
// runs, or of all elements if none begins.
template <typename Place, typename T>
struct run_part {
  Place begins;
  T value;
};

template <typename Place, typename T>
inline constexpr int run_tiles<run_part<Place, T>> = compaction_run_tiles<run_part<Place, T>>;

template <typename Place, typename T, typename Op>
struct join_run_parts {
  Op op;
  [[nodiscard]] __device__ run_part<Place, T> operator()(const run_part<Place, T>& a,
                                                         const run_part<Place, T>& b) const {
    run_part<Place, T> joined = b;
    if (b.begins == 0) joined.value = op(a.value, b.value);
    joined.begins = static_cast<Place>(a.begins + b.begins);
    return joined;
  }
};

//   Place     a run's position among all runs
template <typename Tuning, typename Place, typename Keys, typename Values, typename UniqueKeys,
          typename Sums, typename Number, typename Op, typename Equal>
struct runs_of_keys {
  using tuning = Tuning;
  using place = Place;
  using key = element_of<Keys>;
  using element = element_of<Values>;
  using value = carried<combined_type<Values, Op, Sums>, Op>;
  using sum = result_of<Sums>;
  using part = run_part<Place, value>;
  using join = join_run_parts<Place, value, Op>;
  static constexpr int larger = sizeof(key) > sizeof(element) ? static_cast<int>(sizeof(key))
                                                              : static_cast<int>(sizeof(element));
  static constexpr int kept_bytes = static_cast<int>(sizeof(key) + sizeof(value));
  using shape = compaction_shape<larger, (kept_bytes > 8 ? kept_bytes : 8), Tuning::lane_bytes>;
  // Per warp: keys, then sums.
  static constexpr int sums_begin = end_of_staged<key>(0, shape::warp_items);
  static constexpr int staged_bytes = end_of_staged<value>(sums_begin, shape::warp_items);

  Keys keys;
  Values values;
  std::int64_t count;
  UniqueKeys unique_keys;
  Sums sums;
  Number* number;
  join op;
  Equal equal;
};

// A warp's work on its part of a tile: see work_through_tiles(). A run is written where the next
// one begins: its sum is the prefix there.
template <typename Problem>
class run_work {
 public:
  using shape = typename Problem::shape;
  using key = typename Problem::key;
  using value = typename Problem::value;
  using part = typename Problem::part;
  struct note {
    int begins;
    bool begins_with_run;
  };

  // `memory` has room for two tiles of the warp.
  __device__ run_work(const Problem& problem, unsigned char* memory)
      : problem_(problem),
        keys_kept_(reinterpret_cast<key*>(memory)),
        sums_kept_(reinterpret_cast<value*>(memory + Problem::sums_begin)) {}

  __device__ void load(std::uint32_t tile) {
    const std::int64_t first = first_of_warp<shape>(tile);
    keys_.load(problem_, first);
    elements_.load(problem_.values, first, problem_.count);
  }

  // Compacts the keys at which runs begin, and the prefix of each such begin within the warp; the
  // prefix is undefined for a begin at the warp's first element.
  [[nodiscard]] __device__ part stage(std::uint32_t tile, int buffer, note& kept) {
    key keys[shape::rows][shape::vector];
    keys_.own.get(keys);
    std::uint32_t begins[shape::rows];
    mark_begins(problem_, first_of_warp<shape>(tile), keys_.before, keys, begins);
    int ranks[shape::rows];
    kept.begins = rank_lanes<shape>(begins, ranks);
    kept.begins_with_run = __shfl_sync(all_lanes, begins[0], 0) % 2 != 0;
    typename Problem::element elements[shape::rows][shape::vector];
    elements_.get(elements);
    value sums[shape::rows][shape::vector];
#pragma unroll
    for (int row = 0; row < shape::rows; ++row) {
#pragma unroll
      for (int i = 0; i < shape::vector; ++i) {
        sums[row][i] = static_cast<value>(elements[row][i]);
      }
    }
    value before[shape::rows];
    const value open = scan_runs(sums, begins, before, problem_.op.op);
#pragma unroll
    for (int row = 0; row < shape::rows; ++row) {
      int rank = buffer * shape::warp_items + ranks[row];
#pragma unroll
      for (int i = 0; i < shape::vector; ++i) {
        const bool begins_here = (begins[row] >> i & 1) != 0;
        if (begins_here) {
          keys_kept_.put(rank, keys[row][i]);
          sums_kept_.put(rank, i == 0 ? before[row] : sums[row][i == 0 ? 0 : i - 1]);
        }
        rank += begins_here ? 1 : 0;
      }
    }
    return {static_cast<typename Problem::place>(kept.begins), open};
  }

  // The warp's runs are in shared memory; only its first begin lacks the prefix from earlier warps.
  __device__ void write(std::uint32_t tile, int buffer, const note& kept, bool has_before,
                        const part& earlier) const {
    using sum = typename Problem::sum;
    const key* const keys = &keys_kept_[buffer * shape::warp_items];
    const value* const sums = &sums_kept_[buffer * shape::warp_items];
    const std::int64_t before = has_before ? static_cast<std::int64_t>(earlier.begins) : 0;
    // The very last begin is the one after the last element.
    const bool has_end = ends_in_warp<shape>(tile, problem_.count);
    const int runs = has_end ? kept.begins - 1 : kept.begins;
    for (int i = lane_id(); i < kept.begins; i += warp_size) {
      value total = sums[i];
      if (i == 0 && has_before) {
        total = kept.begins_with_run ? earlier.value
                                     : static_cast<value>(problem_.op.op(earlier.value, total));
      }
      if (i < runs) problem_.unique_keys[before + i] = keys[i];
      if (before + i > 0) problem_.sums[before + i - 1] = static_cast<sum>(total);
    }
    if (has_end && lane_id() == 0) {
      *problem_.number =
          static_cast<std::remove_pointer_t<decltype(problem_.number)>>(before + runs);
    }
  }

 private:
  const Problem& problem_;
  staged_values<key> keys_kept_;
  staged_values<value> sums_kept_;
  lane_keys<Problem> keys_;
  lane_elements<shape, decltype(Problem::values)> elements_;
};

template <typename Problem>
__global__ void __launch_bounds__(compaction_threads<typename Problem::tuning>,
                                  Problem::tuning::blocks)
    reduce_runs(const Problem problem, const look_back_board<typename Problem::part> board) {
  __shared__ compaction_meeting<typename Problem::part> meeting;
  extern __shared__ staging_memory staging[];
  start_in_stream_order();
  run_work<Problem> work(problem, staging_of_warp<Problem>(staging));
  work_through_tiles(work, board, meeting, problem.op);
}

// Launches a kernel that finds runs, with room for one place after the last element.
template <typename Problem>
void launch_runs(workspace& workspace, const Problem& problem,
                 void (*kernel)(const Problem, const look_back_board<typename Problem::part>),
                 source_location where) {
  static_assert(exchangeable<typename Problem::key> && exchangeable<typename Problem::part>,
                "keys have at most 64 bytes and values 56, which are copied as bits");
  static_assert(std::is_default_constructible_v<typename Problem::key> &&
                    std::is_default_constructible_v<typename Problem::part>,
                "keys and values need a default constructor");
  if (problem.count < 0) throw error(cudaErrorInvalidValue, "a range has no negative count", where);
  if (problem.count == 0) {
    check(cudaMemsetAsync(problem.number, 0, sizeof(*problem.number), workspace.stream()), where);
    return;
  }
  launch_compaction(workspace, kernel, problem, problem.count + 1, where);
}

// The most elements for which all places, including the one after the last, fit in 32 bits.
inline constexpr std::int64_t most_with_short_places = std::int64_t{1} << 31;

}  // namespace heddle::device::detail
