// Finds the occupied cells around a cell.
#pragma once
#include <heddle/cluster/device_cells.cuh>
#include <heddle/cluster/near_cells.cuh>
#include <heddle/core/lane.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/warp/broadcast.cuh>
#include <heddle/warp/scan.cuh>
#include <heddle/warp/vote.cuh>

#include <cstdint>

namespace heddle::cluster::detail {

// One of the bricks that contain the cells within two of a cell. Each bit of `corner` chooses, on
// one axis, the cell's own brick or the adjacent one.
template <typename T, int axes>
struct brick_in_reach {
  using shape = brick_shape<axes>;
  int at[axes];             // the cell's place in its brick
  int shift[axes];          // the offset of this brick from that one, -1 … 1
  std::uint64_t cells = 0;  // the occupied ones
  std::uint32_t first_cell = 0;

  // A lane without `is_asked` finds no cells.
  __device__ brick_in_reach(const device_cells<T, axes>& all, std::uint32_t cell, int corner,
                            bool is_asked) {
    const std::uint64_t home = is_asked ? all.homes[cell] : 0;
    brick_name<axes> name = all.bricks[static_cast<std::uint32_t>(home / 64)].name;
    bool is_in_reach = is_asked && corner < shape::most_in_reach;
#pragma unroll
    for (int axis = 0; axis < axes; ++axis) {
      at[axis] = static_cast<int>(home >> shape::bits * axis) & (shape::width - 1);
      const bool is_beside = (corner >> axis & 1) != 0;
      const int step = at[axis] < 2 ? -1 : at[axis] >= shape::width - 2 ? 1 : 0;
      shift[axis] = is_beside ? step : 0;
      name.on_axis[axis] += static_cast<std::uint64_t>(std::int64_t{shift[axis]});
      is_in_reach = is_in_reach && (!is_beside || step != 0);
    }
    if (!is_in_reach) return;
    const brick<axes> found = all.bricks.find(name);
    cells = found.cells;
    first_cell = found.first_cell;
  }
};

// A warp searches around several cells at once, with one lane for each brick that can be in reach
// on three axes.
inline constexpr int lanes_of_cell = 8;
inline constexpr int cells_at_once = warp_size / lanes_of_cell;

// How many cells a warp takes: with few cells, more warps get work.
[[nodiscard]] __device__ inline std::uint32_t cells_of_warp(std::uint32_t cells) {
  const std::uint32_t share = (cells + warps_of_grid() - 1) / warps_of_grid();
  return min(max(share, 1u), std::uint32_t{cells_at_once});
}

// The union of the lanes of all cells, shifted to those of the first cell.
[[nodiscard]] __device__ inline lane_mask in_any_cell(lane_mask lanes) {
#pragma unroll
  for (int distance = warp_size / 2; distance >= lanes_of_cell; distance /= 2) {
    lanes |= lanes >> distance;
  }
  return lanes & tile_of<lanes_of_cell>(0);
}

// The lanes that have something for the caller's cell; `one` is the cell that a lane's item is for.
//   called by   a whole warp
[[nodiscard]] __device__ inline lane_mask lanes_for_own_cell(int one, bool has_something) {
  lane_mask result = 0;
#pragma unroll
  for (int cell = 0; cell < cells_at_once; ++cell) {
    const lane_mask lanes = warp::ballot(has_something && one == cell);
    if (lane_id() / lanes_of_cell == cell) result = lanes;
  }
  return result;
}

// Pairs of one of a warp's cells and a cell near it, compacted in shared memory. Most places around
// a cell are empty; in the row all lanes have something to look at.
template <int most>
struct cell_row {
  std::uint32_t others[most];
  std::uint8_t ones[most];  // which of the warp's cells

  // Puts the cells `chosen` of each lane's brick into the row; returns how many there are.
  //   called by   a whole warp, after all lanes have finished reading the row
  template <typename T, int axes>
  [[nodiscard]] __device__ std::uint32_t fill(const brick_in_reach<T, axes>& brick,
                                              std::uint64_t chosen) {
    const auto mine = static_cast<std::uint32_t>(__popcll(chosen));
    const std::uint32_t including = warp::inclusive_scan(mine);
    std::uint32_t place = including - mine;
    for (; chosen != 0; chosen &= chosen - 1, ++place) {
      const int in_brick = __ffsll(static_cast<long long>(chosen)) - 1;
      others[place] = number_of_cell(brick.cells, brick.first_cell, in_brick);
      ones[place] = static_cast<std::uint8_t>(lane_id() / lanes_of_cell);
    }
    __syncwarp();
    return warp::broadcast(including, warp_size - 1);
  }
};

// Has room for the cells at distance two, and thus also for those within one.
template <int axes>
using nearby_row = cell_row<cells_at_once*(axes == 3 ? 5 * 5 * 5 - 3 * 3 * 3 : 5 * 5 - 3 * 3)>;

// Calls visit(one, cell, is_cell) for the cells near those of the warp's cells that have lanes in
// `open`: first the cells within one, then the others within two, one cell per lane. `one` is the
// warp's cell that it is near. Stops when no lane is open any more; visit may change `open`.
//   called by   a whole warp, each lane with a brick of its cell
template <typename T, int axes, typename Visit>
__device__ inline void look_around(nearby_row<axes>& row, const brick_in_reach<T, axes>& brick,
                                   const lane_mask& open, Visit&& visit) {
  for (int reach = 1; reach <= 2 && open != 0; ++reach) {
    std::uint64_t chosen = brick.cells & near_cells(brick.at, brick.shift, reach);
    if (reach == 2) chosen &= ~near_cells(brick.at, brick.shift, 1);
    if ((open & tile_of<lanes_of_cell>(lane_id())) == 0) chosen = 0;
    const std::uint32_t pairs = row.fill(brick, chosen);
    for (std::uint32_t first = 0; first < pairs && open != 0; first += warp_size) {
      const std::uint32_t place = first + static_cast<std::uint32_t>(lane_id());
      const bool is_cell = place < pairs;
      visit(is_cell ? int{row.ones[place]} : 0, is_cell ? row.others[place] : 0, is_cell);
    }
    __syncwarp();
  }
}

}  // namespace heddle::cluster::detail
