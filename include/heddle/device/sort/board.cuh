// How the tiles of a sorting pass learn how many keys of each digit the earlier tiles have.
#pragma once
#include <heddle/device/kernel/look_back.cuh>
#include <heddle/device/kernel/tagged_value.cuh>
#include <heddle/device/sort/plan.cuh>

#include <cstddef>
#include <cstdint>

namespace heddle::device::detail {

// A word for each digit of each tile, in device memory. First it holds the tile's count, later the
// count of all tiles up to this one. Words carry the number of the launch, so nothing has to be
// cleared between passes, calls or replays of a graph.
struct digit_board {
  // The top bit of a count says that it includes all earlier tiles.
  static constexpr std::uint32_t includes_earlier = 1u << 31;
  static constexpr std::int64_t most_keys = std::int64_t{1} << 30;  // of a launch

  look_back_board<std::uint32_t> tiles;  // deals the tiles out; its words are ours

  [[nodiscard]] static std::size_t bytes_for(std::uint32_t tiles) {
    return look_back_header_bytes + sizeof(std::uint64_t) * digit_values * tiles;
  }
  digit_board(std::byte* memory, std::uint32_t count) : tiles(memory, count) {
    tiles.words = std::uint64_t{digit_values} * count;
  }

  [[nodiscard]] __device__ std::uint64_t* word(std::int64_t tile, int digit) const {
    return tiles.aggregates + tile * digit_values + digit;
  }

  // The first word of a tile.
  __device__ void publish(std::uint32_t launch, std::uint32_t tile, int digit,
                          std::uint32_t count) const {
    store_word(word(tile, digit), launch, tile == 0 ? count | includes_earlier : count);
  }
  // The second word, for all tiles but the first.
  __device__ void publish_with_earlier(std::uint32_t launch, std::uint32_t tile, int digit,
                                       std::uint32_t count) const {
    if (tile > 0) store_word(word(tile, digit), launch, count | includes_earlier);
  }

  // How many keys of the digit the earlier tiles have. Reads `window` tiles at once, the latest
  // first, until one includes all before it. Tiles start much faster than one load returns; reading
  // them one by one would never catch up.
  //   called by   one thread for each digit, after publish(); they do not wait for each other
  template <int window>
  [[nodiscard]] __device__ std::uint32_t count_before(std::uint32_t launch, std::uint32_t tile,
                                                      int digit) const {
    std::uint32_t count = 0;
    std::int64_t next = std::int64_t{tile} - 1;
    while (next >= 0) {
      std::uint64_t words[window];
#pragma unroll
      for (int i = 0; i < window; ++i) {
        words[i] = 0;
        if (i <= next) words[i] = load_word(word(next - i, digit));
      }
      int read = 0;
      bool is_whole = false;
#pragma unroll
      for (int i = 0; i < window; ++i) {
        // A word that is missing, or after the end, has another launch's number.
        const bool is_next =
            read == i && !is_whole && static_cast<std::uint32_t>(words[i] >> 32) == launch;
        const auto found = static_cast<std::uint32_t>(words[i]);
        count += is_next ? found & ~includes_earlier : 0u;
        is_whole = is_whole || (is_next && (found & includes_earlier) != 0);
        read += is_next ? 1 : 0;
      }
      if (is_whole) break;
      next -= read;
    }
    return count;
  }
};

}  // namespace heddle::device::detail
