// Divides work of unequal size among the lanes of a warp.
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/sync/access.cuh>
#include <heddle/warp/broadcast.cuh>
#include <heddle/warp/scan.cuh>

#include <cstdint>

namespace heddle::cluster::detail {

// The first of `wanted` numbers that only the caller gets; one update of `counter` for the whole
// warp.
//   called by   a whole warp
[[nodiscard]] __device__ inline std::uint32_t take_numbers(std::uint32_t* counter,
                                                           std::uint32_t wanted) {
  const std::uint32_t including = warp::inclusive_scan(wanted);
  std::uint32_t first = 0;
  if (lane_id() == warp_size - 1) first = sync::add(counter, including);
  return warp::broadcast(first, warp_size - 1) + including - wanted;
}

// Deals out ranges: each lane brings the items [begin, begin + count), and the lanes get one item
// each, in order, whatever the counts. The whole warp calls visit(item, owner, is_item) together
// until all items are dealt or it returns false; it must return the same in all lanes. In the last
// round some lanes have no item.
//   called by   a whole warp; the sum of the counts is below 2^32
template <typename Visit>
__device__ inline void deal_items(std::uint32_t begin, std::uint32_t count, Visit&& visit) {
  const std::uint32_t including = warp::inclusive_scan(count);
  const std::uint32_t before = including - count;
  const std::uint32_t all = warp::broadcast(including, warp_size - 1);
  for (std::uint32_t round = 0; round < all; round += warp_size) {
    const std::uint32_t number = round + static_cast<std::uint32_t>(lane_id());
    // The item belongs to the last lane whose items begin at or before that number.
    int owner = 0;
#pragma unroll
    for (int step = warp_size / 2; step > 0; step /= 2) {
      if (shuffle(all_lanes, before, owner + step) <= number) owner += step;
    }
    const std::uint32_t item =
        shuffle(all_lanes, begin, owner) + number - shuffle(all_lanes, before, owner);
    if (!visit(item, owner, number < all)) return;
  }
}

}  // namespace heddle::cluster::detail
