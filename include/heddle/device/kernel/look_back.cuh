// How the tiles of a scan find their prefixes while all of them are being worked on.
//   strategy    each tile publishes its aggregate; a warp reads windows of aggregates before its
//               own tile and combines them in a fixed tree. Window prefixes are published too, for
//               blocks that start late
//   needs       sm_75
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/operators.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/device/kernel/tagged_value.cuh>
#include <heddle/warp/scan.cuh>

#include <cstddef>
#include <cstdint>

namespace heddle::device::detail {

// Shared by all launches that use one workspace. All zero at first. Each launch leaves it ready for
// the next one, so a replayed graph, whose arguments never change, needs no reset.
struct look_back_header {
  // Low half: the next tile to take. High half: the number of launches before the current one,
  // since the words were last all zero.
  unsigned long long launches_and_tile;
  unsigned long long words;       // the most that any launch has used
  std::uint32_t finished_blocks;  // in the last launch before the words are cleared
};
inline constexpr std::size_t look_back_header_bytes = 128;
static_assert(sizeof(look_back_header) <= look_back_header_bytes);

// Look-back goes by windows, in which each lane has a run of this many consecutive tiles: as many
// as registers allow, so that a grid of one block per multiprocessor spans one or two windows.
template <typename T>
inline constexpr int run_tiles = slot_words<T> <= 2   ? 8
                                 : slot_words<T> <= 4 ? 4
                                                      : 1;
template <typename T>
inline constexpr int window_tiles = warp_size* run_tiles<T>;

// A tile that a block has taken, and the launch number, which is never 0.
struct taken_tile {
  std::uint32_t tile;
  std::uint32_t launch;
};

// What the tiles of one launch exchange, in device memory.
template <typename T>
struct look_back_board {
  static constexpr std::uint32_t last_launch = ~0u - 1;  // then the words are cleared

  look_back_header* header;
  std::uint64_t* aggregates;  // one per tile, in whole windows
  std::uint64_t* prefixes;    // the prefix of each window of tiles
  std::uint64_t words;        // of both
  std::uint32_t tiles;

  [[nodiscard]] static std::uint64_t words_for(std::uint32_t tiles) {
    const std::uint64_t windows = tiles / window_tiles<T> + 1;
    return slot_words<T> * (windows * window_tiles<T> + windows);
  }
  [[nodiscard]] static std::size_t bytes_for(std::uint32_t tiles) {
    return look_back_header_bytes + sizeof(std::uint64_t) * words_for(tiles);
  }
  look_back_board(std::byte* memory, std::uint32_t tiles)
      : header(reinterpret_cast<look_back_header*>(memory)),
        aggregates(reinterpret_cast<std::uint64_t*>(memory + look_back_header_bytes)),
        prefixes(aggregates +
                 slot_words<T> * (tiles / window_tiles<T> + std::size_t{1}) * window_tiles<T>),
        words(words_for(tiles)),
        tiles(tiles) {}

  // Takes the next tile of the input. All earlier tiles are then already being worked on, so
  // waiting for them ends, however many blocks run at once. A block takes tiles until it gets one
  // past the end; the last block to do so prepares the next launch.
  //   called by   one thread of the block
  [[nodiscard]] __device__ taken_tile take_tile() const {
    const unsigned long long before = atomicAdd(&header->launches_and_tile, 1ull);
    const auto tile = static_cast<std::uint32_t>(before);
    const std::uint32_t launch = static_cast<std::uint32_t>(before >> 32) + 1;
    if (tile == tiles + gridDim.x - 1) end_launch(launch);
    return {tile, launch};
  }

  // The launch number, for kernels that do not take tiles; call it before end_launch().
  [[nodiscard]] __device__ std::uint32_t running_launch() const {
    const auto* const word = reinterpret_cast<const std::uint64_t*>(&header->launches_and_tile);
    return static_cast<std::uint32_t>(load_word(word) >> 32) + 1;
  }

  // Prepares the next launch.
  //   called by   one thread of the grid, after every block has read the launch number and will
  //               take no more tiles
  __device__ void end_launch(std::uint32_t launch) const {
    store_word(reinterpret_cast<std::uint64_t*>(&header->launches_and_tile), launch, 0);
    if (header->words < words) header->words = words;
  }

  // The slot of an aggregate. The slots with the same index in the lanes' runs are contiguous, so
  // lanes read neighbours. Consecutive tiles, which are published and polled at the same time, are
  // cache lines apart.
  [[nodiscard]] __device__ std::uint64_t* slot_of(std::uint32_t window, int lane, int i) const {
    std::uint64_t* const of_lane =
        aggregates + (std::int64_t{window} * window_tiles<T> + lane) * slot_words<T>;
    return of_lane + i * warp_size * slot_words<T>;
  }
  __device__ void publish_aggregate(std::uint32_t launch, std::uint32_t tile,
                                    const T& value) const {
    const auto place = static_cast<int>(tile % window_tiles<T>);
    tagged_value<T>::store(
        slot_of(tile / window_tiles<T>, place / run_tiles<T>, place % run_tiles<T>), launch, value);
  }
  __device__ void publish_prefix(std::uint32_t launch, std::uint32_t window, const T& value) const {
    tagged_value<T>::store(prefixes + std::size_t{slot_words<T>} * window, launch, value);
  }

  // Finishes the block's part. Once in about four billion launches the numbers start again, and the
  // words with old numbers are cleared.
  //   called by   every thread of the block, after its last use of the board
  __device__ void finish(std::uint32_t launch) const {
    if (launch != last_launch) return;
    __shared__ bool is_last;
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      is_last = atomicInc(&header->finished_blocks, gridDim.x - 1) == gridDim.x - 1;
      __threadfence();
    }
    __syncthreads();
    if (!is_last) return;
    for (std::uint64_t i = threadIdx.x; i < header->words; i += blockDim.x) aggregates[i] = 0;
    if (threadIdx.x == 0) header->launches_and_tile = 0;
  }
};

// One warp's look-back for the tiles that its block takes. It remembers the prefix of the last
// tile's window.
//
// A window has a run of tiles for each lane. The prefix of window w is the prefix of window w - 1,
// then the tree of the lanes' runs in that window. The prefix of a tile is the prefix of its
// window, then the tree of the runs there, up to the tile. So the bits do not depend on who
// computed what, or when.
template <typename T, typename Op>
class look_back {
 public:
  // `initial` precedes the first tile if `has_initial`.
  __device__ look_back(const look_back_board<T>& board, std::uint32_t launch, bool has_initial,
                       const T& initial, const Op& op)
      : board_(board), launch_(launch), has_initial_(has_initial), prefix_(initial), op_(op) {}

  // True if anything precedes that tile.
  [[nodiscard]] __device__ bool has_before(std::uint32_t tile) const {
    return has_initial_ || tile > 0;
  }

  // The prefix of that tile. Waits for the aggregates of earlier tiles.
  //   called by   every lane of the warp, with ascending tiles from call to call
  //   result in   every lane; undefined if has_before() is false
  [[nodiscard]] __device__ T before(std::uint32_t tile) {
    tile = shuffle(all_lanes, tile, 0);  // same value, but now known to be uniform
    const std::uint32_t window = tile / window_tiles<T>;
    const int place = static_cast<int>(tile % window_tiles<T>);
    if (window - window_ > 1) catch_up(window);
    while (window - window_ > most_behind_) {
      window_runs passed[1];
      wait_for_runs({window_}, {window_tiles<T>}, passed);
      go_on(passed[0]);
    }
    window_runs runs[1 + most_behind_];
    if constexpr (most_behind_ == 0) {
      wait_for_runs({window}, {place}, runs);
    } else {
      const bool is_behind = window_ < window;
      wait_for_runs({window, window_}, {place, is_behind ? window_tiles<T> : 0}, runs);
      if (is_behind) go_on(runs[1]);
    }
    if (place == 0 && window > 0 && lane_id() == 0) {
      board_.publish_prefix(launch_, window, prefix_);
    }
    return shuffle(all_lanes, place == 0 ? prefix_ : join(reduce(runs[0], place)), 0);
  }

 private:
  static constexpr int words_ = slot_words<T>;
  // Loads the previous window together with this one's tiles, if registers allow.
  static constexpr int most_behind_ = words_ == 1 ? 1 : 0;
  // The tiles of a window, a run for each lane.
  using window_runs = tagged_value<T>[run_tiles<T>];

  // How many of a window's first `count` tiles are in the lane's run.
  [[nodiscard]] __device__ static int of_lane(int count) {
    return min(max(count - lane_id() * run_tiles<T>, 0), run_tiles<T>);
  }

  // Joins the window's prefix with the result of some of its tiles; in lane 0.
  [[nodiscard]] __device__ T join(const T& made) const {
    const bool has_before = has_initial_ || window_ > 0;
    return has_before ? op_(prefix_, made) : made;
  }
  // Moves on to the next window.
  __device__ void go_on(const window_runs& runs) {
    prefix_ = join(reduce(runs, window_tiles<T>));
    ++window_;
  }

  // Combines the first `count` tiles of a window, at least one; in lane 0.
  [[nodiscard]] __device__ T reduce(const window_runs& run, int count) const {
    const int valid = of_lane(count);
    T value = run[0].value();
#pragma unroll
    for (int i = 1; i < run_tiles<T>; ++i) {
      value = warp::detail::combine_where(i < valid, value, run[i].value(), value, op_);
    }
    // Now each lane that has tiles holds the result of its run.
    const int lane = lane_id(), lanes = (count + run_tiles<T> - 1) / run_tiles<T>;
#pragma unroll
    for (int distance = 1; distance < warp_size; distance *= 2) {
      if (distance >= lanes) break;
      const T later = shuffle_down(all_lanes, value, distance);
      value = warp::detail::combine_where(lane + distance < lanes, value, later, value, op_);
    }
    return value;
  }

  // Loads the first tiles of some windows until all have arrived, polling all missing ones
  // together.
  template <int windows>
  __device__ void wait_for_runs(const std::uint32_t (&numbers)[windows],
                                const int (&counts)[windows], window_runs (&runs)[windows]) const {
    const int lane = lane_id();
    bool is_missing[windows][run_tiles<T>];
#pragma unroll
    for (int which = 0; which < windows; ++which) {
      const int valid = of_lane(counts[which]);
#pragma unroll
      for (int i = 0; i < run_tiles<T>; ++i) is_missing[which][i] = i < valid;
    }
    bool is_whole;
    do {
#pragma unroll
      for (int which = 0; which < windows; ++which) {
#pragma unroll
        for (int i = 0; i < run_tiles<T>; ++i) {
          if (is_missing[which][i]) {
            runs[which][i].load(board_.slot_of(numbers[which], lane, i));
          }
        }
      }
      is_whole = true;
#pragma unroll
      for (int which = 0; which < windows; ++which) {
#pragma unroll
        for (int i = 0; i < run_tiles<T>; ++i) {
          is_missing[which][i] = is_missing[which][i] && !runs[which][i].is_of(launch_);
          is_whole = is_whole && !is_missing[which][i];
        }
      }
    } while (!is_whole);
    __syncwarp();
  }

  // For blocks that start late: jumps to the latest published prefix up to `window`, if it is newer
  // than the warp's own.
  __device__ void catch_up(std::uint32_t window) {
    for (std::uint32_t newest = window; newest > window_;
         newest -= newest - window_ < warp_size ? newest - window_ : warp_size) {
      const auto back = static_cast<std::uint32_t>(lane_id());
      tagged_value<T> found;
      bool is_there = false;
      if (newest > window_ + back) {
        found.load(board_.prefixes + static_cast<std::size_t>(newest - back) * words_);
        is_there = found.is_of(launch_);
      }
      const lane_mask published = __ballot_sync(all_lanes, is_there);
      if (published == 0) continue;
      const int source = __ffs(static_cast<int>(published)) - 1;
      T mine = prefix_;
      if (is_there) mine = found.value();
      prefix_ = shuffle(all_lanes, mine, source);
      window_ = newest - static_cast<std::uint32_t>(source);
      return;
    }
  }

  look_back_board<T> board_;
  std::uint32_t launch_;
  bool has_initial_;
  std::uint32_t window_ = 0;  // whose prefix is `prefix_`, which is valid in lane 0 only
  T prefix_;
  Op op_;
};

}  // namespace heddle::device::detail
