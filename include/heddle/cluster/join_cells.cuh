// The kernels that join cells whose core points are neighbours.
#pragma once
#include <heddle/cluster/box_of_warp.cuh>
#include <heddle/cluster/later_cells.cuh>
#include <heddle/cluster/nearby_cells.cuh>
#include <heddle/cluster/shares.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/device/launch.cuh>
#include <heddle/sync/access.cuh>
#include <heddle/warp/broadcast.cuh>
#include <heddle/warp/scan.cuh>
#include <heddle/warp/vote.cuh>

#include <cstdint>

namespace heddle::cluster::detail {

// To compare all points of two cells is too much for one warp where there are many: then it is done
// in parts.
[[nodiscard]] __device__ inline std::uint32_t parts_of_cell(std::uint32_t size) {
  constexpr std::uint32_t points_of_part = 256, most_parts = 32;
  return min((size + points_of_part - 1) / points_of_part, most_parts);
}

// A part of the points of a cell.
template <typename T, int axes>
struct cell_part {
  std::uint32_t begin, end;
  device_box<T, axes> box;  // of all core points of the cell

  __device__ cell_part(const device_cells<T, axes>& all, std::uint32_t cell, std::uint32_t part)
      : box(all.boxes[cell]) {
    const std::uint32_t size = all.sizes[cell], parts = parts_of_cell(size);
    const std::uint32_t of_part = (size + parts - 1) / parts;
    begin = all.begins[cell] + min(part * of_part, size);
    end = all.begins[cell] + min((part + 1) * of_part, size);
  }
};

// A core point of each lane that may have neighbours in `other`.
template <typename T, int axes>
struct candidate {
  device_point<T, axes> point{};
  bool is_one;

  __device__ candidate(const device_cells<T, axes>& all, std::uint32_t place, std::uint32_t end,
                       const device_box<T, axes>& other)
      : is_one(place < end && all.is_core[place] != 0) {
    if (is_one) point = all.at(place);
    is_one = is_one && !(other.least_to(point) > all.bounds.perhaps);
  }
};

// Whether a core point of one cell is a neighbour of one of the other, in the part that is asked
// for. Points that follow each other often are near each other: where many are compared with 32 of
// the other cell, a box around these leaves most of them out.
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
      their_box = box_of_warp(around);
    }
    for (std::uint32_t mine = one.begin; mine < one.end; mine += warp_size) {
      const candidate<T, axes> ours(all, mine + lane, one.end, their_box);
      for (lane_mask left = warp::ballot(ours.is_one); left != 0; left &= left - 1) {
        const auto point = shuffle(all_lanes, ours.point, first_lane(left));
        if (warp::any(theirs.is_one && are_neighbours(point, theirs.point, all.bounds))) {
          return true;
        }
      }
    }
  }
  return false;
}

// Joins the cells of one lane's pair if they touch and nobody has joined them yet.
//   called by   a whole warp, with the pair of lane `asking`
template <typename T, int axes>
__device__ inline void join_if_touching(const device_cells<T, axes>& all,
                                        const doubtful_pair& pairs, int asking) {
  const doubtful_pair pair = shuffle(all_lanes, pairs, asking);
  bool is_joined = false;
  if (lane_id() == asking) {
    is_joined = all.sets.are_united(all.first_core[pair.one], all.first_core[pair.other]);
  }
  if (warp::any(is_joined) || !touch(all, pair)) return;
  if (lane_id() == asking) all.sets.unite(all.first_core[pair.one], all.first_core[pair.other]);
}

// Joins the cells of each lane's pair where boxes say that all of their points are neighbours, and
// forgets it where they say that none are. What is left goes into the list: most of it will be of
// the same set when all that is sure has been joined. Where the list is full the warp looks at
// once.
//   called by   a whole warp
template <typename T, int axes>
__device__ inline void join_by_boxes(const device_cells<T, axes>& all, std::uint32_t one,
                                     std::uint32_t other, bool is_open) {
  // Nobody counts on once the list is full: the number of all pairs may be beyond 2^32.
  const bool is_list_full = sync::load(&all.tally->pairs) >= all.most_pairs;
  std::uint32_t parts = 0;
  if (is_open && all.core_counts[other] != 0) {
    const device_box<T, axes> one_box = all.boxes[one], other_box = all.boxes[other];
    if (one_box.most_to(other_box) <= all.bounds.surely) {
      all.sets.unite(all.first_core[one], all.first_core[other]);
    } else if (!(one_box.least_to(other_box) > all.bounds.perhaps)) {
      parts = parts_of_cell(all.sizes[one]) * parts_of_cell(all.sizes[other]);
    }
  }
  if (!warp::any(parts != 0)) return;
  const std::uint32_t first =
      warp::any(is_list_full) ? all.most_pairs : take_numbers(&all.tally->pairs, parts);
  std::uint32_t part = 0;
  for (; part < parts && first + part < all.most_pairs; ++part) {
    all.pairs[first + part] = {one, other, part};
  }
  for (lane_mask left; (left = warp::ballot(part < parts)) != 0; ++part) {
    for (; left != 0; left &= left - 1) {
      join_if_touching<T, axes>(all, {one, other, part}, first_lane(left));
    }
  }
}

// A warp takes as many cells as it has lanes for all bricks in their reach. What they find there
// comes into a row, so that every lane has a pair of cells to look at.
template <typename T, int axes>
__global__ void join_cells(device_cells<T, axes> all) {
  device::start_in_stream_order();
  constexpr int lanes_of_cell = brick_shape<axes>::most_in_reach;
  constexpr int cells_at_once = warp_size / lanes_of_cell;
  constexpr int most_later = axes == 3 ? 62 : 12;  // half of those within two
  __shared__ std::uint32_t others[warps_of_block][cells_at_once * most_later];
  __shared__ std::uint8_t ones[warps_of_block][cells_at_once * most_later];
  const auto lane = static_cast<std::uint32_t>(lane_id());
  const std::uint32_t in_row = lane / lanes_of_cell;
  std::uint32_t* const other_row = others[warp_rank()];
  std::uint8_t* const one_row = ones[warp_rank()];
  const std::uint32_t cells = all.tally->cells;
  for (std::uint32_t first = warp_of_grid() * cells_at_once; first < cells;
       first += warps_of_grid() * cells_at_once) {
    const std::uint32_t cell = first + in_row;
    const bool is_core_cell = cell < cells && all.core_counts[cell] != 0;
    const brick_in_reach<T, axes> brick(all, is_core_cell ? cell : first,
                                        lane_id() % lanes_of_cell);
    std::uint64_t later = is_core_cell ? brick.cells & later_cells(brick.at, brick.shift) : 0;
    const auto mine = static_cast<std::uint32_t>(__popcll(later));
    const std::uint32_t including = warp::inclusive_scan(mine);
    for (std::uint32_t place = including - mine; later != 0; later &= later - 1, ++place) {
      other_row[place] =
          number_of_cell(brick.cells, brick.first_cell, __ffsll(static_cast<long long>(later)) - 1);
      one_row[place] = static_cast<std::uint8_t>(in_row);
    }
    __syncwarp();
    const std::uint32_t pairs = warp::broadcast(including, warp_size - 1);
    for (std::uint32_t place = lane; place - lane < pairs; place += warp_size) {
      const bool is_pair = place < pairs;
      join_by_boxes(all, is_pair ? first + one_row[place] : 0, is_pair ? other_row[place] : 0,
                    is_pair);
    }
    __syncwarp();
  }
}

// Each lane looks at a pair of the list, far from those of its neighbours: the parts of large cells
// lie side by side. The whole warp turns to those that are not joined yet, one by one.
template <typename T, int axes>
__global__ void join_doubtful_pairs(device_cells<T, axes> all) {
  device::start_in_stream_order();
  const std::uint32_t pairs = min(all.tally->pairs, all.most_pairs);
  // Few pairs are the work of all warps, many of warps full.
  const std::uint32_t groups =
      max((pairs + warp_size - 1) / warp_size, min(pairs, warps_of_grid()));
  for (std::uint32_t group = warp_of_grid(); group < groups; group += warps_of_grid()) {
    const std::uint64_t number = group + static_cast<std::uint64_t>(lane_id()) * groups;
    doubtful_pair mine{};
    bool is_open = number < pairs;
    if (is_open) {
      mine = all.pairs[number];
      is_open = !all.sets.are_united(all.first_core[mine.one], all.first_core[mine.other]);
    }
    for (lane_mask left = warp::ballot(is_open); left != 0; left &= left - 1) {
      join_if_touching(all, mine, first_lane(left));
    }
  }
}

}  // namespace heddle::cluster::detail
