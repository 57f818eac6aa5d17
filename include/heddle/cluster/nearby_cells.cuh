// The occupied cells around a cell, one for each lane.
#pragma once
#include <heddle/cluster/device_cells.cuh>
#include <heddle/core/shuffle.cuh>

#include <cstdint>

namespace heddle::cluster::detail {

// Cells within two of a cell, without itself: all of them, or the half of which each pair of cells
// has one. Near ones come early.
//   called by   a whole warp, all functions
template <typename T, int axes, bool is_half>
class nearby_cells {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  static constexpr int in_plane = 25;
  static constexpr int planes = axes == 3 ? 5 : 1;
  static constexpr int all_offsets =
      is_half ? in_plane / 2 + planes / 2 * in_plane : planes * in_plane;
  static constexpr int rounds = (all_offsets + warp_size - 1) / warp_size;

  // Looks up the bricks in reach, one in each of the first lanes.
  __device__ nearby_cells(const device_cells<T, axes>& all, std::uint32_t cell) {
    const std::uint64_t home = all.homes[cell];
    const brick<axes>& own = all.bricks[static_cast<std::uint32_t>(home / 64)];
    brick_name<axes> name = own.name;
    bool is_in_reach = lane_id() < shape::most_in_reach;
#pragma unroll
    for (int axis = 0; axis < axes; ++axis) {
      at_[axis] = static_cast<int>(home >> shape::bits * axis) & (shape::width - 1);
      const bool is_beside = (lane_id() >> axis & 1) != 0;
      const int step = at_[axis] < 2 ? -1 : at_[axis] >= shape::width - 2 ? 1 : 0;
      if (is_beside) name.on_axis[axis] += static_cast<std::uint64_t>(std::int64_t{step});
      is_in_reach = is_in_reach && (!is_beside || step != 0);
    }
    const std::uint32_t slot = is_in_reach ? all.bricks.find(name) : no_slot;
    cells_ = slot == no_slot ? 0 : all.bricks[slot].cells;
    first_ = slot == no_slot ? 0 : all.bricks[slot].first_cell;
  }

  // The caller's cell of a round, or none.
  [[nodiscard]] __device__ std::uint32_t cell(int round) const {
    const int number = round * warp_size + lane_id();
    int offset[3];
    find_offset(number, offset);
    int source = 0, in_brick = 0;
#pragma unroll
    for (int axis = 0; axis < axes; ++axis) {
      const int to = at_[axis] + offset[axis];
      source |= static_cast<int>(to < 0 || to >= shape::width) << axis;
      in_brick |= (to & (shape::width - 1)) << shape::bits * axis;
    }
    const std::uint64_t cells = shuffle(all_lanes, cells_, source);
    const std::uint32_t first = shuffle(all_lanes, first_, source);
    const bool is_own = (offset[0] | offset[1] | offset[2]) == 0;
    if (number >= all_offsets || is_own || (cells >> in_brick & 1) == 0) return none;
    const std::uint64_t before = cells & ((std::uint64_t{1} << in_brick) - 1);
    return first + static_cast<std::uint32_t>(__popcll(before));
  }

 private:
  using shape = brick_shape<axes>;
  static constexpr std::uint32_t no_slot = brick_table<axes>::no_slot;

  // Plane by plane, at z 0, -1, 1, -2, 2; of the half the later ones at z 0, and those at 1 and 2.
  __device__ static void find_offset(int number, int (&offset)[3]) {
    if constexpr (is_half) {
      constexpr int later = in_plane / 2 + 1;
      const int place = number + later;
      offset[2] = place / in_plane;
      number = place % in_plane;
    } else {
      const int plane = number / in_plane;
      offset[2] = plane % 2 != 0 ? -(plane + 1) / 2 : plane / 2;
      number %= in_plane;
    }
    offset[1] = number / 5 - 2;
    offset[0] = number % 5 - 2;
  }

  int at_[axes];         // the cell's place in its brick
  std::uint64_t cells_;  // of the brick that this lane has looked up
  std::uint32_t first_;
};

}  // namespace heddle::cluster::detail
