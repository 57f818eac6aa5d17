// Measures the length of each run of equal keys, in one kernel.
//   strategy    as reduce_by_key(), over positions
//   needs       sm_75; early start sm_90
#pragma once
#include <heddle/device/iterators.cuh>
#include <heddle/device/reduce_by_key.cuh>
#include <heddle/device/select/run_rows.cuh>
#include <heddle/device/select/runs.cuh>
#include <heddle/device/workspace.cuh>
#include <heddle/warp/reduce.cuh>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace heddle::device {

// Compile-time tuning; blocks are smaller on GPUs with less shared memory.
struct run_length_tuning {
  static constexpr int threads = 992;    // per block, besides the warp that looks back
  static constexpr int blocks = 1;       // per multiprocessor, at least
  static constexpr int lane_bytes = 64;  // of keys per lane and tile
};

namespace detail {

// Summary of contiguous elements: how many runs begin there, and where the last of them begins.
template <typename Place>
struct begin_part {
  Place begins;
  Place last;
};
template <typename Place>
inline constexpr int run_tiles<begin_part<Place>> = compaction_run_tiles<begin_part<Place>>;

template <typename Place>
struct join_begin_parts {
  [[nodiscard]] __device__ begin_part<Place> operator()(const begin_part<Place>& a,
                                                        const begin_part<Place>& b) const {
    return {static_cast<Place>(a.begins + b.begins), b.begins == 0 ? a.last : b.last};
  }
};

//   Place     an element's position
template <typename Tuning, typename Place, typename Keys, typename UniqueKeys, typename Length,
          typename Number, typename Equal>
struct lengths_of_runs {
  using tuning = Tuning;
  using place = Place;
  using key = element_of<Keys>;
  using part = begin_part<Place>;
  static constexpr int key_bytes = static_cast<int>(sizeof(key));
  using shape = compaction_shape<key_bytes, (key_bytes > 4 ? key_bytes : 4), Tuning::lane_bytes>;
  using offset = std::uint16_t;  // of an element from its warp's first
  static_assert(shape::warp_items <= 1 << 16);
  // Per warp: keys, then offsets.
  static constexpr int offsets_begin = end_of_staged<key>(0, shape::warp_items);
  static constexpr int staged_bytes = end_of_staged<offset>(offsets_begin, shape::warp_items);

  Keys keys;
  std::int64_t count;
  UniqueKeys unique_keys;
  Length* lengths;
  Number* number;
  Equal equal;
};

// A warp's work on its part of a tile: see work_through_tiles(). A run's length is the distance
// from its begin to the next begin; it is written there.
template <typename Problem>
class run_length_work {
 public:
  using shape = typename Problem::shape;
  using key = typename Problem::key;
  using part = typename Problem::part;
  using place = typename Problem::place;
  using offset = typename Problem::offset;
  using note = int;  // how many runs begin in the warp

  // `memory` has room for two tiles of the warp.
  __device__ run_length_work(const Problem& problem, unsigned char* memory)
      : problem_(problem),
        keys_kept_(reinterpret_cast<key*>(memory)),
        offsets_kept_(reinterpret_cast<offset*>(memory + Problem::offsets_begin)) {}

  __device__ void load(std::uint32_t tile) { keys_.load(problem_, first_of_warp<shape>(tile)); }

  [[nodiscard]] __device__ part stage(std::uint32_t tile, int buffer, note& begun) {
    const std::int64_t first = first_of_warp<shape>(tile);
    key keys[shape::rows][shape::vector];
    keys_.own.get(keys);
    std::uint32_t begins[shape::rows];
    mark_begins(problem_, first, keys_.before, keys, begins);
    int ranks[shape::rows];
    begun = rank_lanes<shape>(begins, ranks);
    int last = -1;  // begin in the lane
#pragma unroll
    for (int row = 0; row < shape::rows; ++row) {
      int rank = buffer * shape::warp_items + ranks[row];
#pragma unroll
      for (int i = 0; i < shape::vector; ++i) {
        const bool begins_here = (begins[row] >> i & 1) != 0;
        const int at = row * shape::row_items + lane_id() * shape::vector + i;
        if (begins_here) {
          keys_kept_.put(rank, keys[row][i]);
          offsets_kept_.put(rank, static_cast<offset>(at));
        }
        last = begins_here ? at : last;
        rank += begins_here ? 1 : 0;
      }
    }
    return {static_cast<place>(begun), static_cast<place>(first + warp::reduce(last, maximum{}))};
  }

  __device__ void write(std::uint32_t tile, int buffer, note begun, bool has_before,
                        const part& earlier) const {
    const std::int64_t first = first_of_warp<shape>(tile);
    const key* const keys = &keys_kept_[buffer * shape::warp_items];
    const offset* const offsets = &offsets_kept_[buffer * shape::warp_items];
    const std::int64_t before = has_before ? static_cast<std::int64_t>(earlier.begins) : 0;
    // The very last begin is the one after the last element.
    const bool has_end = ends_in_warp<shape>(tile, problem_.count);
    const int runs = has_end ? begun - 1 : begun;
    for (int i = lane_id(); i < begun; i += warp_size) {
      const std::int64_t length =
          i > 0 ? offsets[i] - offsets[i - 1]
                : first + offsets[0] - static_cast<std::int64_t>(earlier.last);
      if (i < runs) problem_.unique_keys[before + i] = keys[i];
      if (before + i > 0) problem_.lengths[before + i - 1] = static_cast<length_>(length);
    }
    if (has_end && lane_id() == 0) {
      *problem_.number =
          static_cast<std::remove_pointer_t<decltype(problem_.number)>>(before + runs);
    }
  }

 private:
  using length_ = std::remove_pointer_t<decltype(Problem::lengths)>;

  const Problem& problem_;
  staged_values<key> keys_kept_;
  staged_values<offset> offsets_kept_;
  lane_keys<Problem> keys_;
};

template <typename Problem>
__global__ void __launch_bounds__(compaction_threads<typename Problem::tuning>,
                                  Problem::tuning::blocks)
    measure_runs(const Problem problem, const look_back_board<typename Problem::part> board) {
  __shared__ compaction_meeting<typename Problem::part> meeting;
  extern __shared__ staging_memory staging[];
  start_in_stream_order();
  run_length_work<Problem> work(problem, staging_of_warp<Problem>(staging));
  work_through_tiles(work, board, meeting, join_begin_parts<typename Problem::place>{});
}

}  // namespace detail

// Writes one key per run of equal neighbours, and the run's length.
//   lengths     device memory: one integer per run, of any type that can hold the length
//   contract    as reduce_by_key()
//   cost        reads each key once and writes each result once
template <typename Tuning = run_length_tuning, readable Keys, typename UniqueKeys,
          std::integral Length, std::integral Number, typename Equal = equal_to>
void run_length(workspace& workspace, const Keys& keys, std::int64_t count,
                const UniqueKeys& unique_keys, Length* lengths, Number* number, Equal equal = {},
                source_location where = source_location::current()) {
  const auto run = [&]<typename Place>(Place) {
    using problem = detail::lengths_of_runs<Tuning, Place, Keys, UniqueKeys, Length, Number, Equal>;
    detail::launch_runs(workspace, problem{keys, count, unique_keys, lengths, number, equal},
                        &detail::measure_runs<problem>, where);
  };
  if (count <= detail::most_with_short_places) {
    run(std::uint32_t{});
  } else {
    run(std::int64_t{});
  }
}

}  // namespace heddle::device
