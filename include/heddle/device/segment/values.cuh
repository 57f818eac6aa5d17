// Reads the values of one warp's share, tile by tile.
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/device/iterators.cuh>
#include <heddle/device/segment/ring.cuh>
#include <heddle/device/segment/tile.cuh>

#include <cstdint>

namespace heddle::device::detail {

// The warp goes from tile to tile; the tiles arrive through a ring.
template <typename Source, typename T, typename Tuning>
class segment_values {
 public:
  using element = element_of<Source>;
  using tile = warp_tile<static_cast<int>(sizeof(element)), Tuning::vectors>;

 private:
  using ring = warp_ring<Source, tile::items, Tuning::stages, tile::items, Tuning::hint>;

 public:
  using storage = typename ring::storage;
  __device__ static void prepare(storage& shared) { ring::prepare(shared); }

  __device__ segment_values(const Source& source, storage& shared, std::int64_t begin,
                            std::int64_t end, std::int64_t lowest, std::int64_t highest)
      : ring_(source, shared, begin, end, lowest, highest) {}

  // Where the share begins and ends, counted from the base.
  [[nodiscard]] __device__ int first() const { return ring_.first(); }
  [[nodiscard]] __device__ int last() const { return ring_.last(); }
  [[nodiscard]] __device__ std::int64_t base() const { return ring_.base(); }

  // Where the current tile begins, and whether it is the first or the last.
  [[nodiscard]] __device__ int at() const { return at_; }
  [[nodiscard]] __device__ bool is_first() const { return agreed(chunk_ == 0); }
  [[nodiscard]] __device__ bool is_last() const { return agreed(at_ + tile::items >= last()); }

  // Starts fetching the first tiles.
  __device__ void start() {
#pragma unroll 1
    for (int i = 0; i < Tuning::stages; ++i) ring_.fetch(i);
  }
  // Waits until the current tile has arrived.
  __device__ void wait() { ring_.wait(chunk_); }
  // The current tile in shared memory.
  [[nodiscard]] __device__ element* tile_values() const { return ring_.place(chunk_); }
  // The value at a place of the tile, counted from the tile's first.
  [[nodiscard]] __device__ T value_at(int place) const {
    return static_cast<T>(tile_values()[place]);
  }
  // The lane's values of the tile. Values outside the share are replaced by the nearest one in it.
  __device__ void read(T (&values)[tile::of_lane]) const {
    const element* const from = tile_values();
    const int mine = lane_id() * tile::of_lane;
    element raw[tile::of_lane];
    if (at_ >= first() && at_ + tile::items <= last()) {
      read_run(from + mine, raw);
    } else {
#pragma unroll
      for (int i = 0; i < tile::of_lane; ++i) {
        int place = at_ + mine + i;
        place = place < last() ? place : last() - 1;
        place = place > first() ? place : first();
        raw[i] = from[place - at_];
      }
      __syncwarp();  // lanes have read places where other lanes may now store sums
    }
#pragma unroll
    for (int i = 0; i < tile::of_lane; ++i) values[i] = static_cast<T>(raw[i]);
  }

  // Frees the tile's place for the next fetch.
  __device__ void leave() {
    __syncwarp();  // all lanes have read
    ring_.fetch(chunk_ + Tuning::stages);
  }

  // Makes the next tile the current one, after it has been left.
  __device__ void advance() {
    ++chunk_;
    at_ += tile::items;
  }

 private:
  ring ring_;
  int chunk_ = 0;
  int at_ = 0;
};

}  // namespace heddle::device::detail
