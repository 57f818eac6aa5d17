// Kernels that group points by cell.
#pragma once
#include <heddle/cluster/cell_number.cuh>
#include <heddle/cluster/device_cells.cuh>
#include <heddle/cluster/result.hpp>
#include <heddle/cluster/shares.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/core/operators.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/device/kernel/launch.cuh>
#include <heddle/warp/aggregate.cuh>
#include <heddle/warp/match.cuh>
#include <heddle/warp/vote.cuh>

#include <cstdint>

namespace heddle::cluster::detail {

// Finds the brick and cell of each point. Points without a cell are noise. Consecutive points are
// often in one brick: one lane of the warp claims it for all of them.
template <typename T, int axes>
__global__ void find_cells(device_cells<T, axes> all) {
  device::detail::start_in_stream_order();
  const std::uint32_t threads = gridDim.x * blockDim.x;
  for (std::uint32_t word = blockIdx.x * blockDim.x + threadIdx.x; word < all.words_of_firsts();
       word += threads) {
    all.firsts[word] = 0;
  }
  for (std::uint32_t first = warp_of_grid() * warp_size; first < all.points.count;
       first += warps_of_grid() * warp_size) {
    const std::uint32_t p = first + static_cast<std::uint32_t>(lane_id());
    std::int64_t number[axes] = {};
    bool has_cell = p < all.points.count;
    if (has_cell) {
      all.parents[p] = p;
      const device_point<T, axes> point = all.points[p];
#pragma unroll
      for (int axis = 0; axis < axes; ++axis) {
        has_cell = has_cell && isfinite(point.at[axis]);
        number[axis] = cell_number(static_cast<double>(point.at[axis]), all.per_cell);
      }
      if (!has_cell) {
        all.seats[p] = all.no_seat;
        all.labels[p] = noise;
        if (all.is_core_point != nullptr) all.is_core_point[p] = 0;
      }
    }
    const lane_mask members = warp::ballot(has_cell);
    if (!has_cell) continue;
    const cell_place<axes> place = place_of_cell(number);
    const lane_mask peers = warp::match_any(place.name, members);
    const std::uint64_t cells =
        warp::detail::combine_peers(peers, std::uint64_t{1} << place.in_brick, bit_or{}, members);
    const int leader = first_lane(peers);
    std::uint32_t slot = 0;
    if (lane_id() == leader) {
      bool is_first = false;
      slot = all.bricks.claim(place.name, is_first);
      if (is_first) all.used_slots[sync::add(&all.tally->bricks, 1)] = slot;
      // Most cells are known by now, and a load is cheaper than an update.
      std::uint64_t* const known = &all.bricks[slot].cells;
      if ((sync::load(known) & cells) != cells) sync::bit_or(known, cells);
    }
    slot = shuffle(members, slot, leader);
    all.seats[p] = std::uint64_t{slot} * 64 + static_cast<unsigned>(place.in_brick);
  }
}

// Numbers the cells brick by brick; each lane handles 16 cells of a brick.
template <typename T, int axes>
__global__ void number_cells(device_cells<T, axes> all) {
  device::detail::start_in_stream_order();
  constexpr std::uint32_t lanes_of_brick = 4, bricks_at_once = warp_size / lanes_of_brick;
  constexpr int cells_of_lane = 64 / lanes_of_brick;
  const auto lane = static_cast<std::uint32_t>(lane_id());
  const int first_in_brick = static_cast<int>(lane % lanes_of_brick) * cells_of_lane;
  const std::uint32_t bricks = all.tally->bricks;
  for (std::uint32_t first = warp_of_grid() * bricks_at_once; first < bricks;
       first += warps_of_grid() * bricks_at_once) {
    const std::uint32_t brick = first + lane / lanes_of_brick;
    const std::uint32_t slot = brick < bricks ? all.used_slots[brick] : 0;
    const std::uint64_t cells = brick < bricks ? all.bricks[slot].cells : 0;
    unsigned mine = static_cast<unsigned>(cells >> first_in_brick) & ((1u << cells_of_lane) - 1);
    std::uint32_t cell =
        take_numbers(&all.tally->cells, static_cast<std::uint32_t>(__popc(static_cast<int>(mine))));
    if (brick < bricks && first_in_brick == 0) all.bricks[slot].first_cell = cell;
    for (; mine != 0; mine &= mine - 1, ++cell) {
      const int in_brick = first_in_brick + __ffs(static_cast<int>(mine)) - 1;
      all.homes[cell] = std::uint64_t{slot} * 64 + static_cast<unsigned>(in_brick);
      all.sizes[cell] = 0;
    }
  }
}

// Finds the cell and rank of each point. Consecutive points often share a cell, so those of a warp
// make one update.
template <typename T, int axes>
__global__ void count_points(device_cells<T, axes> all) {
  device::detail::start_in_stream_order();
  for (std::uint32_t first = warp_of_grid() * warp_size; first < all.points.count;
       first += warps_of_grid() * warp_size) {
    const std::uint32_t p = first + static_cast<std::uint32_t>(lane_id());
    const std::uint64_t seat = p < all.points.count ? all.seats[p] : all.no_seat;
    const bool has_seat = seat != all.no_seat;
    const lane_mask members = warp::ballot(has_seat);
    if (!has_seat) continue;
    const brick<axes>& home = all.bricks[static_cast<std::uint32_t>(seat / 64)];
    const std::uint32_t cell =
        number_of_cell(home.cells, home.first_cell, static_cast<int>(seat % 64));
    const lane_mask peers = warp::match_any(cell, members);
    std::uint32_t counted = 0;
    const int leader = first_lane(peers);
    if (lane_id() == leader) {
      counted = sync::add(&all.sizes[cell], static_cast<std::uint32_t>(count(peers)));
    }
    counted = shuffle(peers, counted, leader) + static_cast<std::uint32_t>(rank(peers));
    all.seats[p] = std::uint64_t{cell} << 32 | counted;
  }
}

// Gives each cell places for its points. Cells with enough points have only core points, which are
// summarised later; for the others nothing is known yet.
template <typename T, int axes>
__global__ void place_cells(device_cells<T, axes> all) {
  device::detail::start_in_stream_order();
  const std::uint32_t cells = all.tally->cells;
  for (std::uint32_t first = warp_of_grid() * warp_size; first < cells;
       first += warps_of_grid() * warp_size) {
    const std::uint32_t cell = first + static_cast<std::uint32_t>(lane_id());
    const std::uint32_t size = cell < cells ? all.sizes[cell] : 0;
    const std::uint32_t begin = take_numbers(&all.tally->places, size);
    if (cell >= cells) continue;
    all.begins[cell] = begin;
    all.core_counts[cell] = size >= all.min_points ? size : 0;
    all.first_core[cell] = all.no_point;
    all.boxes[cell] = device_box<T, axes>::around_nothing();
  }
}

// Moves each point to its place.
template <typename T, int axes>
__global__ void move_points(device_cells<T, axes> all) {
  device::detail::start_in_stream_order();
  for (std::uint32_t p = blockIdx.x * blockDim.x + threadIdx.x; p < all.points.count;
       p += gridDim.x * blockDim.x) {
    const std::uint64_t seat = all.seats[p];
    if (seat == all.no_seat) continue;
    const auto cell = static_cast<std::uint32_t>(seat >> 32);
    const std::uint32_t place = all.begins[cell] + static_cast<std::uint32_t>(seat);
    const device_point<T, axes> point = all.points[p];
#pragma unroll
    for (int axis = 0; axis < axes; ++axis) all.values[axis][place] = point.at[axis];
    all.numbers[place] = p;
    all.cells[place] = cell;
  }
}

}  // namespace heddle::cluster::detail
