// Kernels that number the clusters and label the points.
#pragma once
#include <heddle/cluster/box_of_tile.cuh>
#include <heddle/cluster/nearby_cells.cuh>
#include <heddle/cluster/result.hpp>
#include <heddle/cluster/shares.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/core/operators.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/device/kernel/launch.cuh>
#include <heddle/sync/access.cuh>
#include <heddle/warp/aggregate.cuh>
#include <heddle/warp/reduce.cuh>
#include <heddle/warp/vote.cuh>

#include <cstdint>
#include <limits>

namespace heddle::cluster::detail {

// Marks the smallest core point of each cluster, and stores it as the root of the cluster's cells.
template <typename T, int axes>
__global__ void mark_clusters(device_cells<T, axes> all) {
  device::detail::start_in_stream_order();
  const std::uint32_t cells = all.tally->cells;
  for (std::uint32_t cell = blockIdx.x * blockDim.x + threadIdx.x; cell < cells;
       cell += gridDim.x * blockDim.x) {
    const std::uint32_t first = all.first_core[cell];
    if (first == all.no_point) continue;
    const std::uint32_t root = all.sets.ancestor(first);
    all.roots[cell] = root;
    if (root == first) sync::bit_or(&all.firsts[first / 32], std::uint32_t{1} << first % 32);
  }
}

struct count_bits {
  __host__ __device__ std::uint32_t operator()(std::uint32_t word) const {
#ifdef __CUDA_ARCH__
    return static_cast<std::uint32_t>(__popc(static_cast<int>(word)));
#else
    return static_cast<std::uint32_t>(__builtin_popcount(word));
#endif
  }
};

// Larger than every cluster number.
inline constexpr std::int32_t no_cluster = std::numeric_limits<std::int32_t>::max();

// The smallest cluster among the core neighbours of up to eight points of each of the warp's cells;
// each lane with `is_asked` holds one of the points. `nearest` if there is no smaller one.
//   called by   a whole warp
//   scratch     one number per lane, in shared memory of the warp
template <typename T, int axes>
[[nodiscard]] __device__ inline std::int32_t smallest_cluster_nearby(
    const device_cells<T, axes>& all, nearby_row<axes>& row, std::int32_t* scratch,
    const brick_in_reach<T, axes>& brick, const device_point<T, axes>& mine, std::int32_t nearest,
    bool is_asked) {
  auto around = device_box<T, axes>::around_nothing();
  if (is_asked) around.include(mine);
  around = box_of_tile<lanes_of_cell>(around);
  scratch[lane_id()] = is_asked ? nearest : -1;
  __syncwarp();
  const lane_mask open = warp::ballot(is_asked);
  look_around(row, brick, open, [&](int one, std::uint32_t cell, bool is_cell) {
    // Only a cluster below the largest label found so far can change a label.
    const std::int32_t largest = warp::reduce<lanes_of_cell>(scratch[lane_id()], maximum{});
    __syncwarp();
    const std::int32_t wanted_below = shuffle(all_lanes, largest, one * lanes_of_cell);
    const auto asking_box = box_of_lane(around, one * lanes_of_cell);
    std::int32_t cluster = 0;
    is_cell = is_cell && all.core_counts[cell] != 0;
    if (is_cell) {
      cluster = all.cluster_of(cell);
      is_cell =
          cluster < wanted_below && !(asking_box.least_to(all.boxes[cell]) > all.bounds.perhaps);
    }
    deal_items(is_cell ? all.begins[cell] : 0, is_cell ? all.sizes[cell] : 0,
               [&](std::uint32_t place, int owner, bool is_place) {
                 const int asking = shuffle(all_lanes, one, owner) * lanes_of_cell;
                 const std::int32_t theirs = shuffle(all_lanes, cluster, owner);
                 device_point<T, axes> other{};
                 if (is_place) {
                   other = all.at(place);
                   is_place = all.is_core[place] != 0;
                 }
                 for (lane_mask left = in_any_cell(open); left != 0; left &= left - 1) {
                   const int k = first_lane(left);
                   const auto point = shuffle(all_lanes, mine, asking + k);
                   if (is_place && contains(open, asking + k) &&
                       are_neighbours(point, other, all.bounds)) {
                     warp::detail::update_alone(&scratch[asking + k], theirs, minimum{});
                   }
                 }
                 return true;
               });
    __syncwarp();
  });
  return scratch[lane_id()];
}

template <typename T, int axes>
__device__ inline void write_label(const device_cells<T, axes>& all, std::uint32_t place,
                                   std::int32_t cluster, bool is_core) {
  const std::uint32_t number = all.numbers[place];
  all.labels[number] = cluster == no_cluster ? noise : cluster;
  if (all.is_core_point != nullptr) all.is_core_point[number] = is_core;
}

// Core points get the cluster of their cell.
template <typename T, int axes>
__device__ inline void label_core_points(const device_cells<T, axes>& all) {
  const std::uint32_t places = all.tally->places;
  for (std::uint32_t place = blockIdx.x * blockDim.x + threadIdx.x; place < places;
       place += gridDim.x * blockDim.x) {
    if (all.is_core[place]) write_label(all, place, all.cluster_of(all.cells[place]), true);
  }
}

// The others look for a core point around their cells, which have fewer than min_points points.
template <typename T, int axes>
__device__ inline void label_other_points(const device_cells<T, axes>& all, nearby_row<axes>& row,
                                          std::int32_t* scratch) {
  const auto lane = static_cast<std::uint32_t>(lane_id());
  const std::uint32_t in_row = lane / lanes_of_cell, in_cell = lane % lanes_of_cell;
  const std::uint32_t cells = all.tally->cells, at_once = cells_of_warp(cells);
  for (std::uint32_t group = warp_of_grid() * at_once; group < cells;
       group += warps_of_grid() * at_once) {
    const std::uint32_t cell = group + in_row;
    const bool is_cell = in_row < at_once && cell < cells;
    const std::uint32_t core = is_cell ? all.core_counts[cell] : 0;
    std::uint32_t size = is_cell ? all.sizes[cell] : 0;
    if (size == core) size = 0;
    const std::uint32_t most = warp::reduce(size, maximum{});
    if (most == 0) continue;
    const std::uint32_t begin = size != 0 ? all.begins[cell] : 0;
    const std::int32_t own = size != 0 && core != 0 ? all.cluster_of(cell) : no_cluster;
    const brick_in_reach<T, axes> brick(all, cell, static_cast<int>(in_cell), size != 0);
    for (std::uint32_t first = 0; first < most; first += lanes_of_cell) {
      const std::uint32_t place = begin + first + in_cell;
      const bool is_open = first + in_cell < size && !all.is_core[place];
      device_point<T, axes> mine{};
      if (is_open) mine = all.at(place);
      const std::int32_t cluster =
          smallest_cluster_nearby(all, row, scratch, brick, mine, own, is_open);
      if (is_open) write_label(all, place, cluster, false);
    }
  }
}

template <typename T, int axes>
__global__ void label_points(device_cells<T, axes> all) {
  device::detail::start_in_stream_order();
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    const std::uint32_t last = all.words_of_firsts() - 1;
    *all.clusters = all.firsts_before[last] + count_bits{}(all.firsts[last]);
    all.tally->bricks_to_clear = all.tally->bricks;
  }
  __shared__ nearby_row<axes> rows[warps_of_block];
  __shared__ std::int32_t scratch[warps_of_block][warp_size];
  label_core_points(all);
  label_other_points(all, rows[warp_rank()], scratch[warp_rank()]);
}

// Resets the table and the tally for the next clustering.
template <typename T, int axes>
__global__ void clear_table(device_cells<T, axes> all) {
  device::detail::start_in_stream_order();
  const std::uint32_t bricks = all.tally->bricks_to_clear;
  const std::uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread == 0) {
    all.tally->bricks = all.tally->cells = all.tally->places = 0;
    all.tally->pairs_beside = all.tally->other_pairs = 0;
  }
  for (std::uint32_t i = thread; i < bricks; i += gridDim.x * blockDim.x) {
    all.bricks[all.used_slots[i]] = {};
  }
}

}  // namespace heddle::cluster::detail
