// The kernel that finds out which points are core: those with enough neighbours.
#pragma once
#include <heddle/cluster/nearby_cells.cuh>
#include <heddle/cluster/shares.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/core/operators.cuh>
#include <heddle/device/launch.cuh>
#include <heddle/warp/aggregate.cuh>
#include <heddle/warp/broadcast.cuh>
#include <heddle/warp/reduce.cuh>
#include <heddle/warp/vote.cuh>

#include <cstdint>

namespace heddle::cluster::detail {

// The smallest box around those of all lanes.
//   called by   a whole warp
template <typename T, int axes>
[[nodiscard]] __device__ inline device_box<T, axes> box_of_warp(const device_box<T, axes>& mine) {
  device_box<T, axes> result;
#pragma unroll
  for (int axis = 0; axis < axes; ++axis) {
    result.low[axis] = warp::reduce(mine.low[axis], minimum{});
    result.high[axis] = warp::reduce(mine.high[axis], maximum{});
  }
  return result;
}

// What a cell's core points make together.
template <typename T, int axes>
struct core_summary {
  std::uint32_t count = 0;
  std::uint32_t first = ~std::uint32_t{0};
  device_box<T, axes> box = device_box<T, axes>::around_nothing();

  __device__ void add(std::uint32_t number, const device_point<T, axes>& point) {
    ++count;
    first = number < first ? number : first;
    box.include(point);
  }

  // What the summaries of all lanes make together.
  [[nodiscard]] __device__ core_summary of_warp() const {
    core_summary all;
    all.count = warp::reduce(count);
    all.first = warp::reduce(first, minimum{});
    all.box = box_of_warp(box);
    return all;
  }
};

// Which of up to 32 points of a cell, one in each lane of `open`, have at least min_points
// neighbours. The cell itself has too few for that.
//   called by   a whole warp
template <typename T, int axes>
[[nodiscard]] __device__ inline bool has_enough_neighbours(const device_cells<T, axes>& all,
                                                           const nearby_cells<T, axes>& nearby,
                                                           const device_point<T, axes>& mine,
                                                           std::uint32_t in_own_cell,
                                                           lane_mask open) {
  constexpr std::uint32_t none = nearby_cells<T, axes>::none;
  const bool is_asked = contains(open, lane_id());
  auto around = device_box<T, axes>::around_nothing();
  if (is_asked) around.include(mine);
  around = box_of_warp(around);
  std::uint32_t found = in_own_cell;
  for (int round = 0; round < nearby.rounds && open != 0; ++round) {
    const std::uint32_t cell = nearby.cell(round);
    // Of full cells the boxes are known, and a crowd that is too far away is not looked through.
    const bool is_cell = cell != none && !(all.sizes[cell] >= all.min_points &&
                                           around.least_to(all.boxes[cell]) > all.bounds.perhaps);
    deal_items(is_cell ? all.begins[cell] : 0, is_cell ? all.sizes[cell] : 0,
               [&](std::uint32_t place, int, bool is_place) {
                 device_point<T, axes> other{};
                 if (is_place) other = all.at(place);
                 for (lane_mask left = open; left != 0; left &= left - 1) {
                   const int asking = first_lane(left);
                   const auto one = shuffle(all_lanes, mine, asking);
                   const int near =
                       warp::count_true(is_place && are_neighbours(one, other, all.bounds));
                   if (lane_id() == asking) found += static_cast<std::uint32_t>(near);
                 }
                 open = warp::ballot(is_asked && found < all.min_points);
                 return open != 0;
               });
  }
  return is_asked && found >= all.min_points;
}

// Sums up the cells that have enough points by themselves: all of them are core, since they are all
// neighbours, and no distance is computed. It goes by places, so that a cell of very many points is
// the work of many warps.
template <typename T, int axes>
__global__ void sum_up_full_cells(device_cells<T, axes> all) {
  device::start_in_stream_order();
  const std::uint32_t places = all.tally->places;
  for (std::uint32_t first = warp_of_grid() * warp_size; first < places;
       first += warps_of_grid() * warp_size) {
    const std::uint32_t place = first + static_cast<std::uint32_t>(lane_id());
    const std::uint32_t cell = place < places ? all.cells[place] : all.no_point;
    const std::uint32_t size = place < places ? all.sizes[cell] : 0;
    const bool is_core = place < places && size >= all.min_points;
    core_summary<T, axes> mine;
    if (is_core) {
      all.is_core[place] = 1;
      mine.add(all.numbers[place], all.at(place));
    }
    for (lane_mask left = warp::ballot(is_core); left != 0;) {
      const int leader = first_lane(left);
      const std::uint32_t one = warp::broadcast(cell, leader);
      const bool is_of_one = is_core && cell == one;
      left &= ~warp::ballot(is_of_one);
      const core_summary<T, axes> found = (is_of_one ? mine : core_summary<T, axes>()).of_warp();
      if (lane_id() != leader) continue;
      if (found.count == size) {
        all.first_core[one] = found.first;
        all.boxes[one] = found.box;
        continue;
      }
      device_box<T, axes>& box = all.boxes[one];
      warp::detail::update_alone(&all.first_core[one], found.first, minimum{});
#pragma unroll
      for (int axis = 0; axis < axes; ++axis) {
        warp::detail::update_alone(&box.low[axis], found.box.low[axis], minimum{});
        warp::detail::update_alone(&box.high[axis], found.box.high[axis], maximum{});
      }
    }
  }
}

// A warp for each cell that has too few points by itself: it looks around.
template <typename T, int axes>
__global__ void find_core_points(device_cells<T, axes> all) {
  device::start_in_stream_order();
  const std::uint32_t cells = all.tally->cells;
  for (std::uint32_t cell = warp_of_grid(); cell < cells; cell += warps_of_grid()) {
    const std::uint32_t begin = all.begins[cell], size = all.sizes[cell];
    if (size >= all.min_points) continue;
    core_summary<T, axes> summary;
    const nearby_cells<T, axes> nearby(all, cell);
    for (std::uint32_t first = 0; first < size; first += warp_size) {
      const std::uint32_t place = begin + first + static_cast<std::uint32_t>(lane_id());
      const bool is_place = place < begin + size;
      device_point<T, axes> mine{};
      if (is_place) mine = all.at(place);
      const bool is_core = has_enough_neighbours(all, nearby, mine, size, warp::ballot(is_place));
      if (is_place) all.is_core[place] = is_core;
      if (is_core) summary.add(all.numbers[place], mine);
    }
    const core_summary<T, axes> found = summary.of_warp();
    if (lane_id() != 0 || found.count == 0) continue;
    all.core_counts[cell] = found.count;
    all.first_core[cell] = found.first;
    all.boxes[cell] = found.box;
  }
}

}  // namespace heddle::cluster::detail
