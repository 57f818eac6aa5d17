// How tiles learn how many runs begin before them, and what the one makes that is open where they
// begin: with the same bits at all times.
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/core/words.cuh>
#include <heddle/device/prefix_look_back.cuh>
#include <heddle/warp/combine.cuh>
#include <heddle/warp/reduce.cuh>

#include <cstdint>

namespace heddle::device::detail {

// What elements make together that lie side by side: how many runs begin there, and what the last
// of those makes, or all elements if none begins.
template <typename Place, typename T>
struct run_part {
  Place begins;
  T value;
};

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

// The same as prefix_look_back for parts of runs. How many runs begin can be counted in any order.
// What is carried into a tile is what its open run makes: the tiles from the last one on in which a
// run begins, combined from left to right. A prefix holds the same up to its own tile, so the bits
// do not depend on which of them is found, or when.
template <typename Part, typename Join>
class run_look_back {
 public:
  __device__ run_look_back(const prefix_board<Part>& board, std::uint32_t launch, const Join& join)
      : board_(board), launch_(launch), join_(join) {}

  [[nodiscard]] __device__ bool has_before(std::uint32_t tile) const { return tile > 0; }

  //   cost        one way to memory for each window of tiles up to the nearest prefix, and one more
  //               for each that the open run fills
  [[nodiscard]] __device__ Part before(std::uint32_t tile) const {
    Part found = words_of<Part>().value();
    bool has_value = false;
    for (std::int64_t end = tile; end > 0; end -= window::tiles) {
      window looked_at;
      looked_at.read(board_, launch_, end);
      const bool is_last = looked_at.nearest >= 0;
      found.begins = static_cast<place>(found.begins + count_begins(looked_at));
      if (!has_value && fold(looked_at, false, found.value)) {
        has_value = true;
        // Now the windows that the run fills, which were passed on the way here.
        for (std::int64_t later = end + window::tiles; later <= tile; later += window::tiles) {
          looked_at.read(board_, launch_, later);
          static_cast<void>(fold(looked_at, true, found.value));
        }
      }
      if (is_last) break;
    }
    return found;
  }

  __device__ void publish_inclusive(std::uint32_t tile, const Part& value) const {
    board_.publish_inclusive(launch_, tile, value);
  }

 private:
  using window = prefix_window<Part>;
  using place = decltype(Part::begins);
  using value = decltype(Part::value);

  [[nodiscard]] __device__ static place count_begins(const window& tiles) {
    place sum = 0;
#pragma unroll
    for (int i = 0; i < window::run; ++i) {
      sum = static_cast<place>(sum + (tiles.counts(i) ? tiles.values[i].begins : place{0}));
    }
    return warp::reduce(sum);
  }

  // Appends the tiles of a window to a run that has begun, or starts with the last tile of it in
  // which one begins or whose prefix is there. False, and nothing done, if there is none of these.
  [[nodiscard]] __device__ bool fold(const window& tiles, bool has_begun, value& made) const {
    int start = -1;
#pragma unroll
    for (int i = 0; i < window::run; ++i) {
      if (tiles.counts(i) && (i == tiles.prefix || tiles.values[i].begins != 0)) start = i;
    }
    const int lane = last_lane(__ballot_sync(all_lanes, start >= 0));
    if (lane < 0 && !has_begun) return false;
    if (lane >= 0) {
      const int skipped = __shfl_sync(all_lanes, start, lane);
#pragma unroll
      for (int i = 0; i < window::run; ++i) {
        const value next = shuffle(all_lanes, tiles.values[i].value, lane);
        made = warp::detail::combine_where(i > skipped, made, next, next, join_.op);
      }
    }
#pragma unroll 4
    for (int source = lane + 1; source < warp_size; ++source) {
#pragma unroll
      for (int i = 0; i < window::run; ++i) {
        made = join_.op(made, shuffle(all_lanes, tiles.values[i].value, source));
      }
    }
    return true;
  }

  prefix_board<Part> board_;
  std::uint32_t launch_;
  Join join_;
};

}  // namespace heddle::device::detail
