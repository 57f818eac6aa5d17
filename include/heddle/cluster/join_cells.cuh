// The kernel that joins cells whose core points are neighbours.
#pragma once
#include <heddle/cluster/nearby_cells.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/device/launch.cuh>
#include <heddle/warp/broadcast.cuh>
#include <heddle/warp/vote.cuh>

#include <cstdint>

namespace heddle::cluster::detail {

// Whether a core point of one cell is a neighbour of one of the other.
//   called by   a whole warp
template <typename T, int axes>
[[nodiscard]] __device__ inline bool touch(const device_cells<T, axes>& all, std::uint32_t one,
                                           std::uint32_t other) {
  const std::uint32_t one_begin = all.begins[one], one_end = one_begin + all.sizes[one];
  const std::uint32_t other_begin = all.begins[other], other_end = other_begin + all.sizes[other];
  const device_box<T, axes> one_box = all.boxes[one], other_box = all.boxes[other];
  for (std::uint32_t first = other_begin; first < other_end; first += warp_size) {
    const std::uint32_t place = first + static_cast<std::uint32_t>(lane_id());
    bool is_open = place < other_end && all.is_core[place];
    device_point<T, axes> theirs{};
    if (is_open) theirs = all.at(place);
    is_open = is_open && !(one_box.least_to(theirs) > all.bounds.perhaps);
    if (!warp::any(is_open)) continue;
    for (std::uint32_t mine = one_begin; mine < one_end; ++mine) {
      if (!all.is_core[mine]) continue;
      const device_point<T, axes> ours = all.at(mine);
      if (other_box.least_to(ours) > all.bounds.perhaps) continue;
      if (warp::any(is_open && are_neighbours(ours, theirs, all.bounds))) return true;
    }
  }
  return false;
}

// A warp for each core cell. Each lane looks at another cell: most are of the same set already, or
// their boxes say that all points or none are neighbours. The whole warp turns to what is left,
// cell by cell.
template <typename T, int axes>
__global__ void join_cells(device_cells<T, axes> all) {
  device::start_in_stream_order();
  using nearby_half = nearby_cells<T, axes, true>;
  const std::uint32_t cells = all.tally->cells;
  for (std::uint32_t cell = warp_of_grid(); cell < cells; cell += warps_of_grid()) {
    if (all.core_counts[cell] == 0) continue;
    const std::uint32_t own = all.first_core[cell];
    const device_box<T, axes> own_box = all.boxes[cell];
    const nearby_half nearby(all, cell);
    for (int round = 0; round < nearby.rounds; ++round) {
      const std::uint32_t other = nearby.cell(round);
      bool is_open = other != nearby_half::none && all.core_counts[other] != 0;
      std::uint32_t theirs = 0;
      if (is_open) {
        theirs = all.first_core[other];
        const device_box<T, axes> box = all.boxes[other];
        is_open = !(own_box.least_to(box) > all.bounds.perhaps);
        if (is_open && own_box.most_to(box) <= all.bounds.surely) {
          all.sets.unite(own, theirs);
          is_open = false;
        }
      }
      for (lane_mask left = warp::ballot(is_open); left != 0; left &= left - 1) {
        const int asking = first_lane(left);
        const bool is_joined = lane_id() == asking && all.sets.are_united(own, theirs);
        if (warp::any(is_joined)) continue;
        const bool is_near = touch(all, cell, warp::broadcast(other, asking));
        if (is_near && lane_id() == asking) all.sets.unite(own, theirs);
      }
    }
  }
}

}  // namespace heddle::cluster::detail
