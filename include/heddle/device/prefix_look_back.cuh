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

// Tiles are looked back at in windows, which have so many tiles in a row for each lane: as many as
// registers allow, because every step back takes the time of a way to memory.
template <typename T>
inline constexpr int prefix_run_tiles = slot_words<T> == 1   ? 4
                                        : slot_words<T> == 2 ? 2
                                                             : 1;

// A board on which each tile has two slots side by side: what it makes by itself, and what it makes
// with all tiles before it. Before the first tile there is room for a window, so that all of it can
// be read.
template <typename T>
struct prefix_board : look_back_board<T> {
  static constexpr int tile_words = 2 * slot_words<T>;
  static constexpr int window_tiles = warp_size * prefix_run_tiles<T>;

  [[nodiscard]] static std::uint64_t words_for(std::uint32_t tiles) {
    return tile_words * (std::uint64_t{tiles} + window_tiles);
  }
  [[nodiscard]] static std::size_t bytes_for(std::uint32_t tiles) {
    return look_back_header_bytes + sizeof(std::uint64_t) * words_for(tiles);
  }
  prefix_board(std::byte* memory, std::uint32_t tiles) : look_back_board<T>(memory, tiles) {
    this->prefixes = this->aggregates + slot_words<T>;
    this->words = words_for(tiles);
  }

  // The tile's own, of the aggregates or of the prefixes.
  [[nodiscard]] __device__ static std::uint64_t* slot(std::uint64_t* slots, std::int64_t tile) {
    return slots + (tile + window_tiles) * tile_words;
  }
  __device__ void publish_aggregate(std::uint32_t launch, std::uint32_t tile,
                                    const T& value) const {
    tagged_value<T>::store(slot(this->aggregates, tile), launch, value);
  }
  __device__ void publish_inclusive(std::uint32_t launch, std::uint32_t tile,
                                    const T& value) const {
    tagged_value<T>::store(slot(this->prefixes, tile), launch, value);
  }
};

// The tiles that a warp reads at once, a run for each lane, in lane order.
template <typename T>
struct prefix_window {
  static constexpr int run = prefix_run_tiles<T>;
  static constexpr int tiles = prefix_board<T>::window_tiles;

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
    first = end - tiles + lane_id() * run;
    const std::uint64_t* const slots = board.slot(board.aggregates, first);
    bool is_complete = false;
    lane_mask complete;
    lane_mask unneeded;
    do {
      // Lanes that have all they can need do not read again.
      if (!is_complete) is_complete = read_run(slots, launch);
      complete = __ballot_sync(all_lanes, is_complete);
      nearest = last_lane(__ballot_sync(all_lanes, prefix >= 0));
      unneeded = nearest < 0 ? 0 : lanes_below(nearest);
    } while ((complete | unneeded) != all_lanes);
  }

 private:
  // True if the tiles of the lane are there, as far as no prefix stands for them.
  __device__ bool read_run(const std::uint64_t* slots, std::uint32_t launch) {
    constexpr int tile_words = prefix_board<T>::tile_words;
    tagged_value<T> aggregates[run], prefixes[run];
#pragma unroll
    for (int i = 0; i < run; ++i) {
      if constexpr (slot_words<T> == 1) {
        load_two_words(slots + i * tile_words, aggregates[i].words[0], prefixes[i].words[0]);
      } else {
        aggregates[i].load(slots + i * tile_words);
        prefixes[i].load(slots + i * tile_words + slot_words<T>);
      }
    }
    prefix = -1;
    bool is_complete = true;
#pragma unroll
    for (int i = 0; i < run; ++i) {
      const bool has_prefix = first + i >= 0 && prefixes[i].is_of(launch);
      const bool has_aggregate = first + i < 0 || (first + i > 0 && aggregates[i].is_of(launch));
      prefix = has_prefix ? i : prefix;
      is_complete = has_prefix || (is_complete && has_aggregate);
    }
#pragma unroll
    for (int i = 0; i < run; ++i) {
      tagged_value<T> known;
#pragma unroll
      for (int word = 0; word < slot_words<T>; ++word) {
        known.words[word] = i == prefix ? prefixes[i].words[word] : aggregates[i].words[word];
      }
      values[i] = known.value();
    }
    return is_complete;
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
