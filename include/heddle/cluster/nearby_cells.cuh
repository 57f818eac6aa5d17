// The occupied cells around a cell.
#pragma once
#include <heddle/cluster/device_cells.cuh>
#include <heddle/core/shuffle.cuh>

#include <cstdint>

namespace heddle::cluster::detail {

// One of the bricks in which the cells within two of a cell lie; `corner` says which, bit by bit:
// on each axis that of the cell itself or the one beside it.
template <typename T, int axes>
struct brick_in_reach {
  using shape = brick_shape<axes>;
  int at[axes];             // the cell's place in its brick
  int shift[axes];          // of this brick against that one, -1 … 1
  std::uint64_t cells = 0;  // that are occupied
  std::uint32_t first_cell = 0;

  __device__ brick_in_reach(const device_cells<T, axes>& all, std::uint32_t cell, int corner) {
    const std::uint64_t home = all.homes[cell];
    brick_name<axes> name = all.bricks[static_cast<std::uint32_t>(home / 64)].name;
    bool is_in_reach = corner < shape::most_in_reach;
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
    const std::uint32_t slot = all.bricks.find(name);
    if (slot == brick_table<axes>::no_slot) return;
    cells = all.bricks[slot].cells;
    first_cell = all.bricks[slot].first_cell;
  }
};

// Cells within two of a cell, without itself, one for each lane. Near ones come early.
//   called by   a whole warp, all functions
template <typename T, int axes>
class nearby_cells {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  static constexpr int in_plane = 25;
  static constexpr int all_offsets = (axes == 3 ? 5 : 1) * in_plane;
  static constexpr int rounds = (all_offsets + warp_size - 1) / warp_size;

  // Looks up the bricks in reach, one in each of the first lanes.
  __device__ nearby_cells(const device_cells<T, axes>& all, std::uint32_t cell)
      : mine_(all, cell, lane_id()) {}

  // The caller's cell of a round, or none.
  [[nodiscard]] __device__ std::uint32_t cell(int round) const {
    const int number = round * warp_size + lane_id();
    int offset[3];
    find_offset(number, offset);
    int source = 0, in_brick = 0;
#pragma unroll
    for (int axis = 0; axis < axes; ++axis) {
      const int to = mine_.at[axis] + offset[axis];
      source |= static_cast<int>(to < 0 || to >= shape::width) << axis;
      in_brick |= (to & (shape::width - 1)) << shape::bits * axis;
    }
    const std::uint64_t cells = shuffle(all_lanes, mine_.cells, source);
    const std::uint32_t first = shuffle(all_lanes, mine_.first_cell, source);
    const bool is_own = (offset[0] | offset[1] | offset[2]) == 0;
    if (number >= all_offsets || is_own || (cells >> in_brick & 1) == 0) return none;
    return number_of_cell(cells, first, in_brick);
  }

 private:
  using shape = brick_shape<axes>;

  // Plane by plane, at z 0, -1, 1, -2, 2.
  __device__ static void find_offset(int number, int (&offset)[3]) {
    const int plane = number / in_plane;
    offset[2] = plane % 2 != 0 ? -(plane + 1) / 2 : plane / 2;
    number %= in_plane;
    offset[1] = number / 5 - 2;
    offset[0] = number % 5 - 2;
  }

  brick_in_reach<T, axes> mine_;
};

}  // namespace heddle::cluster::detail
