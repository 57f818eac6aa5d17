// Runs of equal keys, tile by tile: what each run's values make, and its key.
#pragma once
#include <heddle/core/operators.cuh>
#include <heddle/core/words.cuh>
#include <heddle/device/compaction.cuh>
#include <heddle/device/segment_rows.cuh>

#include <cstdint>
#include <type_traits>

namespace heddle::device::detail {

// What elements make together that lie side by side: how many runs begin there, and what the last
// of those makes, or all elements if none begins.
template <typename T>
struct run_part {
  std::int64_t begins;
  T value;
};

template <typename T, typename Op>
struct join_run_parts {
  Op op;
  [[nodiscard]] __device__ run_part<T> operator()(const run_part<T>& a,
                                                  const run_part<T>& b) const {
    run_part<T> joined = b;
    if (b.begins == 0) joined.value = op(a.value, b.value);
    joined.begins = a.begins + b.begins;
    return joined;
  }
};

template <typename Tuning, typename Keys, typename Values, typename UniqueKeys, typename Sums,
          typename Number, typename Op, typename Equal>
struct runs_of_keys {
  using tuning = Tuning;
  using key = element_of<Keys>;
  using element = element_of<Values>;
  using value = carried<element, Op>;
  using sum = std::remove_cvref_t<decltype(std::declval<const Sums&>()[std::int64_t{0}])>;
  using part = run_part<value>;
  using join = join_run_parts<value, Op>;
  static constexpr int larger = sizeof(key) > sizeof(element) ? static_cast<int>(sizeof(key))
                                                              : static_cast<int>(sizeof(element));
  static constexpr int kept_bytes = static_cast<int>(sizeof(key) + sizeof(value));
  using shape = compaction_shape<larger, (kept_bytes > 8 ? kept_bytes : 8), Tuning::lane_bytes,
                                 Tuning::threads>;

  Keys keys;
  Values values;
  std::int64_t count;
  UniqueKeys unique_keys;
  Sums sums;
  Number* number;
  join op;
  Equal equal;
};

// Bit i of begins[row]: a run begins at the lane's i-th element of that row. Behind the last
// element stands the begin of a run that is not there, so that the last one ends.
template <typename Problem, typename Shape = typename Problem::shape>
__device__ inline void mark_begins(const Problem& problem, std::int64_t first,
                                   const typename Problem::key (&keys)[Shape::rows][Shape::vector],
                                   std::uint32_t (&begins)[Shape::rows]) {
  using key = typename Problem::key;
  const int lane = lane_id();
  key before_row = keys[0][0];
  if (lane == 0 && first > 0) {
    before_row = problem.keys[first <= problem.count ? first - 1 : problem.count - 1];
  }
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

// A run is written down where the next one begins: its sum is what stands before that.
template <typename Problem>
__global__ void __launch_bounds__(Problem::tuning::threads, Problem::tuning::blocks)
    reduce_runs(const Problem problem, const look_back_board<typename Problem::part> board) {
  using shape = typename Problem::shape;
  using key = typename Problem::key;
  using value = typename Problem::value;
  using sum = typename Problem::sum;
  using part = typename Problem::part;
  constexpr int key_alignment = alignof(key) > 16 ? static_cast<int>(alignof(key)) : 16;
  constexpr int value_alignment = alignof(value) > 16 ? static_cast<int>(alignof(value)) : 16;
  __shared__ compaction_meeting<part, shape::warps> meeting;
  __shared__ alignas(key_alignment) unsigned char key_bytes[shape::tile_items * sizeof(key)];
  __shared__ alignas(value_alignment) unsigned char sum_bytes[shape::tile_items * sizeof(value)];
  const int warp = warp_rank();
  key* const staged_keys = reinterpret_cast<key*>(key_bytes) + warp * shape::warp_items;
  value* const staged_sums = reinterpret_cast<value*>(sum_bytes) + warp * shape::warp_items;
  start_in_stream_order();
  if (threadIdx.x == 0) meeting.taken = board.take_tile();
  __syncthreads();
  const std::uint32_t launch = meeting.taken.launch;
  look_back<part, typename Problem::join> earlier_tiles(board, launch, false,
                                                        words_of<part>().value(), problem.op);
  for (std::uint32_t tile = meeting.taken.tile; tile < board.tiles; tile = meeting.taken.tile) {
    const std::int64_t first = static_cast<std::int64_t>(tile) * shape::tile_items +
                               static_cast<std::int64_t>(warp) * shape::warp_items;
    key keys[shape::rows][shape::vector];
    typename Problem::element elements[shape::rows][shape::vector];
    load_lane<shape>(problem.keys, first, problem.count, keys);
    load_lane<shape>(problem.values, first, problem.count, elements);
    std::uint32_t begins[shape::rows];
    mark_begins(problem, first, keys, begins);
    const lane_ranks ranks = rank_lanes(begins);
    stage_keys<shape>(keys, begins, ranks, staged_keys);
    value values[shape::rows][shape::vector];
#pragma unroll
    for (int row = 0; row < shape::rows; ++row) {
#pragma unroll
      for (int i = 0; i < shape::vector; ++i) {
        values[row][i] = static_cast<value>(elements[row][i]);
      }
    }
    open_segment<value> open;
    scan_segment_rows(values, begins, open, problem.op.op);
    stage_sums<shape>(values, begins, ranks, staged_sums);
    const bool begins_with_run = __shfl_sync(all_lanes, begins[0], 0) % 2 != 0;
    meet_in_tile(meeting, board, earlier_tiles, tile, part{ranks.total, open.value}, problem.op);
    // Now the warp's runs lie in shared memory; only its first begin lacks what stands before it in
    // other warps.
    const bool has_before = tile > 0 || warp > 0;
    const std::int64_t before = has_before ? meeting.before()[warp].begins : 0;
    // The last begin of all is the one behind the last element.
    const bool has_end = first <= problem.count && problem.count < first + shape::warp_items;
    const int runs = has_end ? ranks.total - 1 : ranks.total;
    for (int i = lane_id(); i < ranks.total; i += warp_size) {
      value total = staged_sums[i];
      if (i == 0 && has_before) {
        const value earlier = meeting.before()[warp].value;
        total = begins_with_run ? earlier : static_cast<value>(problem.op.op(earlier, total));
      }
      if (i < runs) problem.unique_keys[before + i] = staged_keys[i];
      if (before + i > 0) problem.sums[before + i - 1] = static_cast<sum>(total);
    }
    if (has_end && lane_id() == 0) {
      *problem.number = static_cast<std::remove_pointer_t<decltype(problem.number)>>(before + runs);
    }
    __syncwarp();  // what was staged has been read
  }
  board.finish(launch);
}

template <typename Problem>
void launch_runs(workspace& workspace, const Problem& problem, source_location where) {
  using part = typename Problem::part;
  static_assert(exchangeable<typename Problem::key> && exchangeable<part>,
                "keys have at most 64 bytes and values 56, which are copied as bits");
  static_assert(std::is_default_constructible_v<typename Problem::key> &&
                    std::is_default_constructible_v<typename Problem::value>,
                "keys and values need a default constructor");
  if (problem.count < 0) throw error(cudaErrorInvalidValue, "a range has no negative count", where);
  if (problem.count == 0) {
    check(cudaMemsetAsync(problem.number, 0, sizeof(*problem.number), workspace.stream()), where);
    return;
  }
  // With room behind the last element.
  launch_compaction<part>(workspace, &reduce_runs<Problem>, Problem::shape::threads, problem,
                          problem.count / Problem::shape::tile_items + 1, where);
}

}  // namespace heddle::device::detail
