// Runs of equal keys, tile by tile: what each run's values make, and its key.
#pragma once
#include <heddle/core/operators.cuh>
#include <heddle/core/words.cuh>
#include <heddle/device/compaction.cuh>
#include <heddle/device/run_look_back.cuh>
#include <heddle/device/segment_rows.cuh>

#include <cstdint>
#include <type_traits>

namespace heddle::device::detail {

//   Place     of a run among all of them
template <typename Tuning, typename Place, typename Keys, typename Values, typename UniqueKeys,
          typename Sums, typename Number, typename Op, typename Equal>
struct runs_of_keys {
  using tuning = Tuning;
  using place = Place;
  using key = element_of<Keys>;
  using element = element_of<Values>;
  using value = carried<element, Op>;
  using sum = std::remove_cvref_t<decltype(std::declval<const Sums&>()[std::int64_t{0}])>;
  using part = run_part<Place, value>;
  using join = join_run_parts<Place, value, Op>;
  static constexpr int larger = sizeof(key) > sizeof(element) ? static_cast<int>(sizeof(key))
                                                              : static_cast<int>(sizeof(element));
  static constexpr int kept_bytes = static_cast<int>(sizeof(key) + sizeof(value));
  using shape = compaction_shape<larger, (kept_bytes > 8 ? kept_bytes : 8), Tuning::lane_bytes,
                                 Tuning::threads>;
  static constexpr int sums_begin = end_of_staged<key>(0, shape::tile_items);
  static constexpr int shared_bytes = end_of_staged<value>(sums_begin, shape::tile_items);

  Keys keys;
  Values values;
  std::int64_t count;
  UniqueKeys unique_keys;
  Sums sums;
  Number* number;
  join op;
  Equal equal;
};

// The keys of a lane as they come from memory, and in lane 0 the one before the warp's first.
template <typename Problem>
struct lane_keys {
  using key = typename Problem::key;
  lane_elements<typename Problem::shape, decltype(Problem::keys)> own;
  key before;

  __device__ void load(const Problem& problem, std::int64_t first) {
    own.load(problem.keys, first, problem.count);
    if (lane_id() == 0 && first > 0) {
      before = problem.keys[first <= problem.count ? first - 1 : problem.count - 1];
    }
  }
};

// Bit i of begins[row]: a run begins at the lane's i-th element of that row. Behind the last
// element stands the begin of a run that is not there, so that the last one ends.
template <typename Problem, typename Shape = typename Problem::shape>
__device__ inline void mark_begins(const Problem& problem, std::int64_t first,
                                   const typename Problem::key& before,
                                   const typename Problem::key (&keys)[Shape::rows][Shape::vector],
                                   std::uint32_t (&begins)[Shape::rows]) {
  using key = typename Problem::key;
  const int lane = lane_id();
  key before_row = first > 0 ? before : keys[0][0];
#pragma unroll
  for (int row = 0; row < Shape::rows; ++row) {
    key previous = shuffle_up(all_lanes, keys[row][Shape::vector - 1], 1);
    if (lane == 0) previous = before_row;
    before_row = shuffle(all_lanes, keys[row][Shape::vector - 1], warp_size - 1);
    begins[row] = 0;
#pragma unroll
    for (int i = 0; i < Shape::vector; ++i) {
      const bool begins_here = !problem.equal(previous, keys[row][i]);
      begins[row] |= begins_here ? 1u << i : 0u;
      previous = keys[row][i];
    }
  }
  // Only at both ends of the input.
  if (first == 0 && lane == 0) begins[0] |= 1u;
  if (first + Shape::warp_items <= problem.count) return;
  const int end = static_cast<int>(problem.count - first);
#pragma unroll
  for (int row = 0; row < Shape::rows; ++row) {
    const int left = end - (row * Shape::row_items + lane * Shape::vector);  // in the lane
    if (left >= Shape::vector) continue;
    begins[row] &= left < 0 ? 0u : (1u << left) - 1;
    begins[row] |= left < 0 ? 0u : 1u << left;
  }
}

// Brings the keys at which runs begin to the warp's part of shared memory, side by side.
template <typename Shape, typename Key>
__device__ inline void stage_keys(const Key (&keys)[Shape::rows][Shape::vector],
                                  const std::uint32_t (&begins)[Shape::rows],
                                  const lane_ranks& ranks, Key* staged) {
#pragma unroll
  for (int row = 0; row < Shape::rows; ++row) {
    int place = ranks.of_row(row);
#pragma unroll
    for (int i = 0; i < Shape::vector; ++i) {
      if ((begins[row] >> i & 1) != 0) staged[place++] = keys[row][i];
    }
  }
}

// The same for what stands before each begin, in the warp: what the run before it makes, as far as
// it is of this warp; without meaning for a begin at the warp's first element.
template <typename Shape, typename T>
__device__ inline void stage_sums(const T (&sums)[Shape::rows][Shape::vector],
                                  const std::uint32_t (&begins)[Shape::rows],
                                  const lane_ranks& ranks, T* staged) {
  T before_row = sums[0][0];
#pragma unroll
  for (int row = 0; row < Shape::rows; ++row) {
    T previous = shuffle_up(all_lanes, sums[row][Shape::vector - 1], 1);
    if (lane_id() == 0) previous = before_row;
    before_row = shuffle(all_lanes, sums[row][Shape::vector - 1], warp_size - 1);
    int place = ranks.of_row(row);
#pragma unroll
    for (int i = 0; i < Shape::vector; ++i) {
      if ((begins[row] >> i & 1) != 0) staged[place++] = previous;
      previous = sums[row][i];
    }
  }
}

// What a warp does with its part of a tile: see work_through_tiles(). A run is written down where
// the next one begins: its sum is what stands before that.
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

  // Both are for two tiles.
  __device__ run_work(const Problem& problem, key* keys, value* sums)
      : problem_(problem),
        staged_keys_(keys + warp_rank() * shape::warp_items),
        staged_sums_(sums + warp_rank() * shape::warp_items) {}

  __device__ void load(std::uint32_t tile) {
    keys_.load(problem_, first_of_warp<shape>(tile));
    elements_.load(problem_.values, first_of_warp<shape>(tile), problem_.count);
  }

  [[nodiscard]] __device__ part stage(std::uint32_t tile, int buffer, note& kept) {
    key keys[shape::rows][shape::vector];
    keys_.own.get(keys);
    std::uint32_t begins[shape::rows];
    mark_begins(problem_, first_of_warp<shape>(tile), keys_.before, keys, begins);
    const lane_ranks ranks = rank_lanes(begins);
    stage_keys<shape>(keys, begins, ranks, staged_keys_ + buffer * shape::tile_items);
    typename Problem::element elements[shape::rows][shape::vector];
    elements_.get(elements);
    value values[shape::rows][shape::vector];
#pragma unroll
    for (int row = 0; row < shape::rows; ++row) {
#pragma unroll
      for (int i = 0; i < shape::vector; ++i) {
        values[row][i] = static_cast<value>(elements[row][i]);
      }
    }
    open_segment<value> open;
    scan_segment_rows(values, begins, open, problem_.op.op);
    stage_sums<shape>(values, begins, ranks, staged_sums_ + buffer * shape::tile_items);
    kept = {ranks.total, __shfl_sync(all_lanes, begins[0], 0) % 2 != 0};
    return {static_cast<typename Problem::place>(ranks.total), open.value};
  }

  // The warp's runs lie in shared memory; only its first begin lacks what stands before it in other
  // warps.
  __device__ void write(std::uint32_t tile, int buffer, const note& kept, bool has_before,
                        const part& earlier) const {
    using sum = typename Problem::sum;
    const key* const keys = staged_keys_ + buffer * shape::tile_items;
    const value* const sums = staged_sums_ + buffer * shape::tile_items;
    const std::int64_t before = has_before ? static_cast<std::int64_t>(earlier.begins) : 0;
    // The last begin of all is the one behind the last element.
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
  key* staged_keys_;
  value* staged_sums_;
  lane_keys<Problem> keys_;
  lane_elements<shape, decltype(Problem::values)> elements_;
};

template <typename Problem>
__global__ void __launch_bounds__(Problem::tuning::threads, Problem::tuning::blocks)
    reduce_runs(const Problem problem, const prefix_board<typename Problem::part> board) {
  using part = typename Problem::part;
  __shared__ compaction_meeting<part, Problem::shape::warps> meeting;
  extern __shared__ staging_memory staging[];
  start_in_stream_order();
  auto* const bytes = reinterpret_cast<unsigned char*>(staging);
  run_work<Problem> work(problem, reinterpret_cast<typename Problem::key*>(bytes),
                         reinterpret_cast<typename Problem::value*>(bytes + Problem::sums_begin));
  work_through_tiles<run_look_back<part, typename Problem::join>>(work, board, meeting, problem.op);
}

// Launches a kernel that looks for runs, with room behind the last element.
template <typename Problem>
void launch_runs(workspace& workspace, const Problem& problem,
                 void (*kernel)(const Problem, const prefix_board<typename Problem::part>),
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
  launch_compaction(workspace, kernel, problem, problem.count / Problem::shape::tile_items + 1,
                    where);
}

// So many elements that their places, and the one behind them, have 32 bits.
inline constexpr std::int64_t most_with_short_places = std::int64_t{1} << 31;

}  // namespace heddle::device::detail
