// The kernels that join cells whose core points are neighbours.
#pragma once
#include <heddle/cluster/box_of_tile.cuh>
#include <heddle/cluster/near_cells.cuh>
#include <heddle/cluster/nearby_cells.cuh>
#include <heddle/cluster/shares.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/device/kernel/launch.cuh>
#include <heddle/warp/vote.cuh>

#include <cstdint>

namespace heddle::cluster::detail {

// Comparing all points of two large cells is too much for one warp, so it is done in parts.
[[nodiscard]] __device__ inline std::uint32_t parts_of_cell(std::uint32_t size) {
  constexpr std::uint32_t points_of_part = 64, most_parts = 32;
  return min((size + points_of_part - 1) / points_of_part, most_parts);
}

// A part of the points of a cell.
template <typename T, int axes>
struct cell_part {
  std::uint32_t begin, end;
  device_box<T, axes> box;  // around all core points of the cell

  __device__ cell_part(const device_cells<T, axes>& all, std::uint32_t cell, std::uint32_t part)
      : box(all.boxes[cell]) {
    const std::uint32_t size = all.sizes[cell], parts = parts_of_cell(size);
    const std::uint32_t of_part = (size + parts - 1) / parts;
    begin = all.begins[cell] + min(part * of_part, size);
    end = all.begins[cell] + min((part + 1) * of_part, size);
  }
};

// A core point in each lane that may have neighbours in `other`.
template <typename T, int axes>
struct candidate {
  device_point<T, axes> point{};
  bool is_one;

  __device__ candidate(const device_cells<T, axes>& all, std::uint32_t place, std::uint32_t end,
                       const device_box<T, axes>& other)
      : is_one(place < end) {
    if (!is_one) return;
    point = all.at(place);  // not after is_core: both loads are in flight together
    is_one = all.is_core[place] != 0 && !(other.least_to(point) > all.bounds.perhaps);
  }
};

// Whether a lane of `ours` has a neighbour among the candidates of all lanes.
//   called by   a whole warp
template <typename T, int axes>
[[nodiscard]] __device__ inline bool any_neighbours(const device_cells<T, axes>& all,
                                                    const candidate<T, axes>& mine, lane_mask ours,
                                                    const candidate<T, axes>& theirs) {
  constexpr int at_once = 4;  // so that several distances are in flight
  while (ours != 0) {
    bool is_sure = false, is_doubtful = false;
    const lane_mask asked = ours;
#pragma unroll
    for (int i = 0; i < at_once; ++i) {
      const T sum =
          squared_distance(shuffle(all_lanes, mine.point, first_lane(ours)), theirs.point);
      is_sure = is_sure || sum <= all.bounds.surely;
      is_doubtful = is_doubtful || !(sum > all.bounds.perhaps);
      // When none are left, the last one is compared again.
      ours = (ours & (ours - 1)) != 0 || i == at_once - 1 ? ours & (ours - 1) : ours;
    }
    if (warp::any(theirs.is_one && is_sure)) return true;
    if (!warp::any(theirs.is_one && is_doubtful)) continue;
    for (lane_mask left = asked & ~ours; left != 0; left &= left - 1) {
      const auto point = shuffle(all_lanes, mine.point, first_lane(left));
      if (warp::any(theirs.is_one && are_neighbours(point, theirs.point, all.bounds))) return true;
    }
  }
  return false;
}

// Whether core points of the two cells are neighbours, in the given part of the comparison.
// Consecutive points are often close together: when many points are compared with 32 of the other
// cell, a box around those 32 excludes most of them.
//   called by   a whole warp
template <typename T, int axes>
[[nodiscard]] __device__ inline bool touch(const device_cells<T, axes>& all,
                                           const doubtful_pair& pair) {
  const std::uint32_t parts = parts_of_cell(all.sizes[pair.one]);
  const cell_part<T, axes> one(all, pair.one, pair.part % parts);
  const cell_part<T, axes> other(all, pair.other, pair.part / parts);
  const auto lane = static_cast<std::uint32_t>(lane_id());
  for (std::uint32_t first = other.begin; first < other.end; first += warp_size) {
    const candidate<T, axes> theirs(all, first + lane, other.end, one.box);
    if (!warp::any(theirs.is_one)) continue;
    device_box<T, axes> their_box = other.box;
    if (one.end - one.begin > 2 * warp_size) {
      auto around = device_box<T, axes>::around_nothing();
      if (theirs.is_one) around.include(theirs.point);
      their_box = box_of_tile<warp_size>(around);
    }
    for (std::uint32_t mine = one.begin; mine < one.end; mine += warp_size) {
      const candidate<T, axes> ours(all, mine + lane, one.end, their_box);
      if (any_neighbours(all, ours, warp::ballot(ours.is_one), theirs)) return true;
    }
  }
  return false;
}

// A core cell's data, all loaded at once so that later uses do not wait.
template <typename T, int axes>
struct core_cell {
  std::uint32_t begin, size, first_core;
  device_box<T, axes> box;

  __device__ core_cell(const device_cells<T, axes>& all, std::uint32_t cell)
      : begin(all.begins[cell]),
        size(all.sizes[cell]),
        first_core(all.first_core[cell]),
        box(all.boxes[cell]) {}
};

// Whether the two cells have so few points that one lane compares them.
template <typename T, int axes>
[[nodiscard]] __device__ inline bool are_small(const core_cell<T, axes>& one,
                                               const core_cell<T, axes>& other) {
  constexpr std::uint32_t most_distances = 64;
  return std::uint64_t{one.size} * other.size <= most_distances;
}

// Some points of a small cell, with all loads in flight together; the last point is repeated if
// there are fewer.
template <typename T, int axes>
struct few_points {
  static constexpr int count = 4;
  device_point<T, axes> points[count];
  bool are_core[count];

  __device__ few_points(const device_cells<T, axes>& all, const core_cell<T, axes>& cell,
                        std::uint32_t first) {
#pragma unroll
    for (int i = 0; i < count; ++i) {
      const std::uint32_t place = cell.begin + min(first + i, cell.size - 1);
      points[i] = all.at(place);
      are_core[i] = all.is_core[place] != 0;
    }
  }

  // Whether core points of both are neighbours; some may be too close to the limit to decide.
  __device__ void compare(const few_points& others, const neighbour_bounds<T>& bounds,
                          bool& is_sure, bool& is_doubtful) const {
#pragma unroll
    for (int i = 0; i < count; ++i) {
#pragma unroll
      for (int j = 0; j < count; ++j) {
        const bool are_both = are_core[i] && others.are_core[j];
        const T sum = squared_distance(points[i], others.points[j]);
        is_sure = is_sure || (are_both && sum <= bounds.surely);
        is_doubtful = is_doubtful || (are_both && !(sum > bounds.perhaps));
      }
    }
  }
};

// Whether two small cells touch, one distance after another.
//   called by   single lanes
template <typename T, int axes>
[[nodiscard]] __device__ inline bool touch_by_rule(const device_cells<T, axes>& all,
                                                   const core_cell<T, axes>& one,
                                                   const core_cell<T, axes>& other) {
#pragma unroll 1
  for (std::uint32_t mine = one.begin; mine < one.begin + one.size; ++mine) {
    if (!all.is_core[mine]) continue;
#pragma unroll 1
    for (std::uint32_t theirs = other.begin; theirs < other.begin + other.size; ++theirs) {
      if (all.is_core[theirs] && are_neighbours(all.at(mine), all.at(theirs), all.bounds)) {
        return true;
      }
    }
  }
  return false;
}

// The same, many distances at once; uses the rule only if some are too close to the limit.
//   called by   single lanes
template <typename T, int axes>
[[nodiscard]] __device__ inline bool touch_alone(const device_cells<T, axes>& all,
                                                 const core_cell<T, axes>& one,
                                                 const core_cell<T, axes>& other) {
  using few = few_points<T, axes>;
  bool is_sure = false, is_doubtful = false;
#pragma unroll 1
  for (std::uint32_t mine = 0; mine < one.size && !is_sure; mine += few::count) {
    const few ours(all, one, mine);
#pragma unroll 1
    for (std::uint32_t theirs = 0; theirs < other.size && !is_sure; theirs += few::count) {
      ours.compare(few(all, other, theirs), all.bounds, is_sure, is_doubtful);
    }
  }
  return is_sure || (is_doubtful && touch_by_rule(all, one, other));
}

// Joins the cells of each lane's pair if it is open, they are not joined yet and they touch. The
// whole warp works on one pair after another.
//   called by   a whole warp
template <typename T, int axes>
__device__ inline void join_pairs(const device_cells<T, axes>& all, const doubtful_pair& mine,
                                  bool is_open) {
  const auto is_joined = [&] {
    return all.sets.ancestor(all.first_core[mine.one]) ==
           all.sets.ancestor(all.first_core[mine.other]);
  };
  is_open = is_open && !is_joined();
  const lane_mask open = warp::ballot(is_open);
  for (lane_mask left = open; left != 0; left &= left - 1) {
    const int asking = first_lane(left);
    const bool is_asking = lane_id() == asking;
    // Another warp may have joined this pair while it waited.
    if (left != open && warp::any(is_asking && is_joined())) continue;
    if (!touch(all, shuffle(all_lanes, mine, asking))) continue;
    if (is_asking) all.sets.unite(all.first_core[mine.one], all.first_core[mine.other]);
  }
}

// Joins the cells of each lane's pair if their boxes show that all of their points are neighbours,
// and drops the pair if they show that none are. Small cells are compared at once. Other pairs go
// into the list; if it is full, the warp compares them at once.
//   called by   a whole warp
template <typename T, int axes>
__device__ inline void join_by_boxes(const device_cells<T, axes>& all, const pair_list& list,
                                     std::uint32_t one, std::uint32_t other, bool is_open) {
  std::uint32_t parts = 0;
  if (is_open) {
    const core_cell<T, axes> here(all, one), there(all, other);
    bool is_joined = here.box.most_to(there.box) <= all.bounds.surely;
    if (!is_joined && !(here.box.least_to(there.box) > all.bounds.perhaps)) {
      if (are_small(here, there)) {
        is_joined = touch_alone(all, here, there);
      } else {
        parts = parts_of_cell(here.size) * parts_of_cell(there.size);
      }
    }
    if (is_joined) all.sets.unite(here.first_core, there.first_core);
  }
  std::uint32_t part = list.add(one, other, parts);
  for (; warp::any(part < parts); ++part) join_pairs(all, {one, other, part}, part < parts);
}

// Joins the cells that share a side, or the others within two. A warp takes as many cells as it has
// lanes for all bricks in their reach, and collects the cells found there in a row. Cells that
// share a side nearly always touch, and their joins already connect most nearby cells. So they come
// first; pairs that are then in one set are skipped.
template <typename T, int axes, bool shares_side>
__global__ void __launch_bounds__(warps_of_block* warp_size, 4)
    join_cells(device_cells<T, axes> all, pair_list list) {
  device::detail::start_in_stream_order();
  constexpr int most_later = axes == 3 ? 62 : 12;  // half of those within two
  constexpr int most = shares_side ? axes : most_later - axes;
  __shared__ cell_row<cells_at_once * most> rows[warps_of_block];
  auto& row = rows[warp_rank()];
  const auto lane = static_cast<std::uint32_t>(lane_id());
  const std::uint32_t in_row = lane / lanes_of_cell;
  const std::uint32_t cells = all.tally->cells, at_once = cells_of_warp(cells);
  for (std::uint32_t first = warp_of_grid() * at_once; first < cells;
       first += warps_of_grid() * at_once) {
    const std::uint32_t cell = first + in_row;
    const bool is_cell = in_row < at_once && cell < cells;
    const std::uint32_t own = is_cell ? all.first_core[cell] : all.no_point;
    const bool is_core_cell = own != all.no_point;
    if (!warp::any(is_core_cell)) continue;
    const brick_in_reach<T, axes> brick(all, cell, lane_id() % lanes_of_cell, is_core_cell);
    const std::uint64_t later = brick.cells & later_cells(brick.at, brick.shift);
    const std::uint64_t beside = cells_beside(brick.at, brick.shift);
    const std::uint32_t pairs = row.fill(brick, shares_side ? later & beside : later & ~beside);
    const std::uint32_t root = !shares_side && is_core_cell ? all.sets.ancestor(own) : 0;
    for (std::uint32_t place = lane; place - lane < pairs; place += warp_size) {
      const bool is_pair = place < pairs;
      const int which = is_pair ? row.ones[place] : 0;
      const std::uint32_t one = first + static_cast<std::uint32_t>(which);
      const std::uint32_t other = is_pair ? row.others[place] : 0;
      const std::uint32_t first_core = is_pair ? all.first_core[other] : all.no_point;
      bool is_open = first_core != all.no_point;
      if constexpr (!shares_side) {
        const std::uint32_t one_root = shuffle(all_lanes, root, which * lanes_of_cell);
        is_open = is_open && all.sets.ancestor(first_core) != one_root;
      }
      join_by_boxes(all, list, one, other, is_open);
    }
    __syncwarp();
  }
}

// Each lane takes a pair of a list, far from those of its neighbouring lanes, because the parts of
// large cells are adjacent in the list. The whole warp then works on the pairs that are not joined
// yet, one by one.
template <typename T, int axes>
__global__ void join_doubtful_pairs(device_cells<T, axes> all, pair_list list) {
  device::detail::start_in_stream_order();
  const std::uint32_t pairs = list.size();
  // Few pairs are spread over all warps; many pairs fill whole warps.
  const std::uint32_t groups =
      max((pairs + warp_size - 1) / warp_size, min(pairs, warps_of_grid()));
  for (std::uint32_t group = warp_of_grid(); group < groups; group += warps_of_grid()) {
    const std::uint64_t number = group + static_cast<std::uint64_t>(lane_id()) * groups;
    const bool is_pair = number < pairs;
    join_pairs(all, is_pair ? list.pairs[number] : doubtful_pair{}, is_pair);
  }
}

}  // namespace heddle::cluster::detail
