// A list of pairs of cells to which warps append concurrently.
#pragma once
#include <heddle/cluster/shares.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/sync/access.cuh>
#include <heddle/warp/vote.cuh>

#include <cstdint>

namespace heddle::cluster::detail {

// Two core cells that may or may not touch, and the part of the comparison to do: see touch().
struct doubtful_pair {
  std::uint32_t one, other, part;
};

// In device memory.
struct pair_list {
  doubtful_pair* pairs = nullptr;
  std::uint32_t most = 0;          // capacity
  std::uint32_t* count = nullptr;  // of pairs that are in the list or found it full

  [[nodiscard]] __device__ std::uint32_t size() const { return min(*count, most); }

  // Adds the first parts of each lane's pair, as many as there is room for; returns how many.
  //   called by   a whole warp; a lane without a pair has 0 parts
  [[nodiscard]] __device__ std::uint32_t add(std::uint32_t one, std::uint32_t other,
                                             std::uint32_t parts) const {
    if (!warp::any(parts != 0)) return 0;
    // Stop counting once the list is full: the number of all pairs may exceed 2^32.
    if (warp::any(sync::load(count) >= most)) return 0;
    const std::uint32_t first = take_numbers(count, parts);
    const std::uint32_t room = min(parts, most - min(first, most));
    deal_items(first, room, [&](std::uint32_t place, int owner, bool is_place) {
      const doubtful_pair pair{shuffle(all_lanes, one, owner), shuffle(all_lanes, other, owner),
                               place - shuffle(all_lanes, first, owner)};
      if (is_place) pairs[place] = pair;
      return true;
    });
    return room;
  }
};

}  // namespace heddle::cluster::detail
