// The kernels that find the core points: those with enough neighbours.
#pragma once
#include <heddle/cluster/box_of_tile.cuh>
#include <heddle/cluster/nearby_cells.cuh>
#include <heddle/cluster/shares.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/core/operators.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/device/kernel/launch.cuh>
#include <heddle/warp/aggregate.cuh>
#include <heddle/warp/broadcast.cuh>
#include <heddle/warp/reduce.cuh>
#include <heddle/warp/vote.cuh>

#include <cstdint>

namespace heddle::cluster::detail {

// A summary of a cell's core points.
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

  // The combined summary of all lanes of a tile.
  template <int width>
  [[nodiscard]] __device__ core_summary of_tile() const {
    core_summary all;
    all.count = warp::reduce<width>(count);
    all.first = warp::reduce<width>(first, minimum{});
    all.box = box_of_tile<width>(box);
    return all;
  }
};

// Counts the neighbours of up to eight points of each of a warp's cells, one point in each lane
// with `is_asked`.
//   called by   a whole warp, all functions
template <typename T, int axes>
struct neighbour_count {
  device_point<T, axes> mine;
  bool is_asked;
  std::uint32_t found;  // starts with the points of its own cell
  lane_mask open;       // the lanes that need more
  device_box<T, axes> around = device_box<T, axes>::around_nothing();  // the points of a cell

  __device__ neighbour_count(const device_cells<T, axes>& all, const device_point<T, axes>& point,
                             std::uint32_t in_own_cell, bool is_point)
      : mine(point), is_asked(is_point), found(in_own_cell) {
    if (is_asked) around.include(mine);
    around = box_of_tile<lanes_of_cell>(around);
    update(all);
  }

  __device__ void update(const device_cells<T, axes>& all) {
    open = warp::ballot(is_asked && found < all.min_points);
  }

  // Whether one of the warp's cells has points that need more.
  [[nodiscard]] __device__ bool is_open(int one) const {
    return (open & tile_of<lanes_of_cell>(one * lanes_of_cell)) != 0;
  }

  // Each lane with a place brings a point near the `one`-th of the warp's cells.
  __device__ void compare(const device_cells<T, axes>& all, int one, std::uint32_t place,
                          bool is_place) {
    constexpr int at_once = 4;  // so that several distances are in flight
    device_point<T, axes> other{};
    if (is_place) other = all.at(place);
    const lane_mask for_cell = lanes_for_own_cell(one, is_place);
    const lane_mask asking = in_any_cell(open);
    for (int first = 0; first < lanes_of_cell; first += at_once) {
      if ((asking >> first & ((1u << at_once) - 1)) == 0) continue;
      lane_mask near = 0;  // of the caller's point
      bool is_doubtful = false;
#pragma unroll
      for (int i = 0; i < at_once; ++i) {
        const T sum = squared_distance(point_of(one, first + i), other);
        const bool is_near = is_place && sum <= all.bounds.surely;
        is_doubtful = is_doubtful || (is_place && !is_near && !(sum > all.bounds.perhaps));
        const lane_mask lanes = warp::ballot(is_near);
        if (lane_id() % lanes_of_cell == first + i) near = lanes;
      }
      if (warp::any(is_doubtful)) near = near_by_rule(all, one, other, is_place, first, at_once);
      found += static_cast<std::uint32_t>(count(near & for_cell));
    }
    update(all);
  }

 private:
  [[nodiscard]] __device__ device_point<T, axes> point_of(int one, int number) const {
    return shuffle(all_lanes, mine, one * lanes_of_cell + number);
  }

  // The lanes whose point is a neighbour of the caller's, if the caller's is one of the `points`
  // compared.
  [[nodiscard]] __device__ lane_mask near_by_rule(const device_cells<T, axes>& all, int one,
                                                  const device_point<T, axes>& other, bool is_place,
                                                  int first, int points) const {
    lane_mask near = 0;
#pragma unroll 1
    for (int i = first; i < first + points; ++i) {
      const auto point = point_of(one, i);
      const lane_mask lanes = warp::ballot(is_place && are_neighbours(point, other, all.bounds));
      if (lane_id() % lanes_of_cell == i) near = lanes;
    }
    return near;
  }
};

// Which of up to eight points of each of the warp's cells have at least min_points neighbours; each
// lane with `is_asked` holds one of them. The cells themselves have fewer points than that.
//   called by   a whole warp
template <typename T, int axes>
[[nodiscard]] __device__ inline bool has_enough_neighbours(
    const device_cells<T, axes>& all, nearby_row<axes>& row, const brick_in_reach<T, axes>& brick,
    const device_point<T, axes>& mine, std::uint32_t in_own_cell, bool is_asked) {
  neighbour_count<T, axes> counting(all, mine, in_own_cell, is_asked);
  look_around(row, brick, counting.open, [&](int one, std::uint32_t cell, bool is_cell) {
    is_cell = is_cell && counting.is_open(one);
    const std::uint32_t size = is_cell ? all.sizes[cell] : 0;
    const std::uint32_t begin = is_cell ? all.begins[cell] : 0;
    const auto asking = box_of_lane(counting.around, one * lanes_of_cell);
    // The boxes of full cells are known, so a full cell that is too far away is skipped.
    if (is_cell && size >= all.min_points) {
      is_cell = !(asking.least_to(all.boxes[cell]) > all.bounds.perhaps);
    }
    // A few points of each cell first: most points then have enough neighbours. So no large cell is
    // searched for them while other points are still open.
    std::uint32_t done = 0;
    for (std::uint32_t slice = 8; counting.open != 0; done += slice, slice *= 2) {
      const bool is_left = is_cell && done < size && counting.is_open(one);
      if (!warp::any(is_left)) break;
      deal_items(begin + done, is_left ? min(size - done, slice) : 0,
                 [&](std::uint32_t place, int owner, bool is_place) {
                   counting.compare(all, shuffle(all_lanes, one, owner), place, is_place);
                   return counting.open != 0;
                 });
    }
  });
  return is_asked && counting.found >= all.min_points;
}

// Summarises the cells with at least min_points points: their points are all neighbours of each
// other, so all are core, and no distance is computed. It works by places, so that many warps share
// a very large cell.
template <typename T, int axes>
__global__ void sum_up_full_cells(device_cells<T, axes> all) {
  device::detail::start_in_stream_order();
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
      const core_summary<T, axes> found =
          (is_of_one ? mine : core_summary<T, axes>()).template of_tile<warp_size>();
      if (lane_id() != leader) continue;
      if (found.count == size) {
        all.first_core[one] = found.first;
        all.boxes[one] = found.box;
        continue;
      }
      warp::detail::update_alone(&all.first_core[one], found.first, minimum{});
      widen(all.boxes[one], found.box);
    }
  }
}

// Searches around the cells with fewer than min_points points.
template <typename T, int axes>
__global__ void __launch_bounds__(warps_of_block* warp_size, 4)
    find_core_points(device_cells<T, axes> all) {
  device::detail::start_in_stream_order();
  __shared__ nearby_row<axes> rows[warps_of_block];
  const auto lane = static_cast<std::uint32_t>(lane_id());
  const std::uint32_t in_row = lane / lanes_of_cell, in_cell = lane % lanes_of_cell;
  const std::uint32_t cells = all.tally->cells, at_once = cells_of_warp(cells);
  for (std::uint32_t group = warp_of_grid() * at_once; group < cells;
       group += warps_of_grid() * at_once) {
    const std::uint32_t cell = group + in_row;
    const bool is_cell = in_row < at_once && cell < cells;
    std::uint32_t size = is_cell ? all.sizes[cell] : 0;
    if (size >= all.min_points) size = 0;
    const std::uint32_t most = warp::reduce(size, maximum{});
    if (most == 0) continue;
    const std::uint32_t begin = size != 0 ? all.begins[cell] : 0;
    const brick_in_reach<T, axes> brick(all, cell, static_cast<int>(in_cell), size != 0);
    core_summary<T, axes> summary;
    for (std::uint32_t first = 0; first < most; first += lanes_of_cell) {
      const std::uint32_t place = begin + first + in_cell;
      const bool is_place = first + in_cell < size;
      device_point<T, axes> mine{};
      if (is_place) mine = all.at(place);
      const bool is_core =
          has_enough_neighbours(all, rows[warp_rank()], brick, mine, size, is_place);
      if (is_place) all.is_core[place] = is_core;
      if (is_core) summary.add(all.numbers[place], mine);
    }
    const auto found = summary.template of_tile<lanes_of_cell>();
    if (in_cell != 0 || found.count == 0) continue;
    all.core_counts[cell] = found.count;
    all.first_core[cell] = found.first;
    all.boxes[cell] = found.box;
  }
}

}  // namespace heddle::cluster::detail
