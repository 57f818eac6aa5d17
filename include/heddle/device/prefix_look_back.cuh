// How tiles learn what stands before them where every way to it gives the same bits: they take the
// nearest prefix that anybody has published.
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/device/look_back.cuh>
#include <heddle/warp/scan.cuh>

#include <cstddef>
#include <cstdint>

namespace heddle::device::detail {

// A board on which each tile has two slots side by side: what it makes by itself, and what it makes
// with all tiles before it.
template <typename T>
struct prefix_board : look_back_board<T> {
  static constexpr int tile_words = 2 * slot_words<T>;

  [[nodiscard]] static std::uint64_t words_for(std::uint32_t tiles) {
    return std::uint64_t{tile_words} * tiles;
  }
  [[nodiscard]] static std::size_t bytes_for(std::uint32_t tiles) {
    return look_back_header_bytes + sizeof(std::uint64_t) * words_for(tiles);
  }
  prefix_board(std::byte* memory, std::uint32_t tiles) : look_back_board<T>(memory, tiles) {
    this->prefixes = this->aggregates + slot_words<T>;
    this->words = words_for(tiles);
  }

  __device__ void publish_aggregate(std::uint32_t launch, std::uint32_t tile,
                                    const T& value) const {
    tagged_value<T>::store(this->aggregates + std::size_t{tile_words} * tile, launch, value);
  }
  __device__ void publish_inclusive(std::uint32_t launch, std::uint32_t tile,
                                    const T& value) const {
    tagged_value<T>::store(this->prefixes + std::size_t{tile_words} * tile, launch, value);
  }
};

// The tiles in a row that a warp reads at once: a run for each lane, in lane order. As many as
// registers allow, because every step back takes the time of a way to memory.
template <typename T>
struct prefix_window {
  static constexpr int run = slot_words<T> <= 2 ? 4 : slot_words<T> <= 4 ? 2 : 1;
  static constexpr int tiles = warp_size * run;

  T values[run];       // of the lane's tiles: the prefix of tile `prefix`, aggregates of later ones
  int prefix;          // of the lane's run, the last tile whose prefix is there; -1 if none is
  int nearest;         // the last lane with a prefix, the same in every lane; -1 if none has one
  std::int64_t first;  // of the lane's tiles; below 0 before the first tile of all

  // True if the lane's i-th tile is the nearest prefix or stands behind it.
  [[nodiscard]] __device__ bool counts(int i) const {
    return lane_id() >= nearest && i >= prefix && first + i >= 0;
  }

  // Waits until every tile between the nearest prefix and the end of the window is there; of the
  // first tile of all the prefix.
  //   called by   every lane of the warp
  //   end         the first tile behind the window, at least 1
  __device__ void read(const prefix_board<T>& board, std::uint32_t launch, std::int64_t end) {
    constexpr int tile_words = prefix_board<T>::tile_words;
    first = end - tiles + lane_id() * run;
    const std::uint64_t* const slots = board.aggregates + first * tile_words;
    tagged_value<T> aggregates[run], prefixes[run];
    bool is_complete = false;
    lane_mask unneeded;
    lane_mask complete;
    do {
      if (!is_complete) {
#pragma unroll
        for (int i = 0; i < run; ++i) {
          if (first + i >= 0) load_tile(slots + i * tile_words, aggregates[i], prefixes[i]);
        }
        prefix = -1;
        is_complete = true;
#pragma unroll
        for (int i = 0; i < run; ++i) {
          if (first + i < 0) continue;
          const bool has_prefix = prefixes[i].is_of(launch);
          const bool has_aggregate = first + i > 0 && aggregates[i].is_of(launch);
          prefix = has_prefix ? i : prefix;
          is_complete = has_prefix || (is_complete && has_aggregate);
        }
      }
      complete = __ballot_sync(all_lanes, is_complete);
      nearest = last_lane(__ballot_sync(all_lanes, prefix >= 0));
      unneeded = nearest < 0 ? 0 : lanes_below(nearest);
    } while ((complete | unneeded) != all_lanes);
#pragma unroll
    for (int i = 0; i < run; ++i) {
      values[i] = i == prefix ? prefixes[i].value() : aggregates[i].value();
    }
  }

 private:
  __device__ static void load_tile(const std::uint64_t* from, tagged_value<T>& aggregate,
                                   tagged_value<T>& prefix) {
    if constexpr (slot_words<T> == 1) {
      load_two_words(from, aggregate.words[0], prefix.words[0]);
    } else {
      aggregate.load(from);
      prefix.load(from + slot_words<T>);
    }
  }
};

// One warp's way to what stands before a tile. Which prefix it meets is a matter of time: so `op`
// must give the same bits in whatever way the tiles are put together, as sums of integers do.
template <typename T, typename Op>
class prefix_look_back {
 public:
  __device__ prefix_look_back(const prefix_board<T>& board, std::uint32_t launch, const Op& op)
      : board_(board), launch_(launch), op_(op) {}

  // True if there is anything before that tile.
  [[nodiscard]] __device__ bool has_before(std::uint32_t tile) const { return tile > 0; }

  // What stands before that tile. Waits for aggregates, up to the nearest prefix.
  //   called by   every lane of the warp
  //   result in   every lane; without meaning where has_before() is false
  //   cost        one way to memory for each window of tiles up to that prefix
  [[nodiscard]] __device__ T before(std::uint32_t tile) const {
    T later = words_of<T>().value();
    for (std::int64_t end = tile; end > 0; end -= prefix_window<T>::tiles) {
      prefix_window<T> window;
      window.read(board_, launch_, end);
      const T made = reduce(window);
      later = end == tile ? made : op_(made, later);
      if (window.nearest >= 0) break;
    }
    return later;
  }

  // Tells all later tiles what stands before them up to and including that one: as early as it is
  // known.
  //   called by   one lane
  __device__ void publish_inclusive(std::uint32_t tile, const T& value) const {
    board_.publish_inclusive(launch_, tile, value);
  }

 private:
  // What the tiles of a window make that count; in every lane.
  [[nodiscard]] __device__ T reduce(const prefix_window<T>& window) const {
    using warp::detail::combine_where;
    // The last tile of each lane that counts at all does.
    T value = window.values[prefix_window<T>::run - 1];
#pragma unroll
    for (int i = prefix_window<T>::run - 2; i >= 0; --i) {
      value = combine_where(window.counts(i), window.values[i], value, value, op_);
    }
    const int first =
        first_lane(__ballot_sync(all_lanes, window.counts(prefix_window<T>::run - 1)));
#pragma unroll
    for (int distance = 1; distance < warp_size; distance *= 2) {
      const T earlier = shuffle_up(all_lanes, value, distance);
      value = combine_where(lane_id() - distance >= first, earlier, value, value, op_);
    }
    return shuffle(all_lanes, value, warp_size - 1);
  }

  prefix_board<T> board_;
  std::uint32_t launch_;
  Op op_;
};

}  // namespace heddle::device::detail
