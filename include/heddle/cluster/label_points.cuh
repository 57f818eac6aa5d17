// Kernels that number the clusters and tell each point its own.
#pragma once
#include <heddle/cluster/nearby_cells.cuh>
#include <heddle/cluster/result.hpp>
#include <heddle/cluster/shares.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/core/operators.cuh>
#include <heddle/device/launch.cuh>
#include <heddle/sync/access.cuh>
#include <heddle/warp/reduce.cuh>
#include <heddle/warp/vote.cuh>

#include <cstdint>
#include <limits>

namespace heddle::cluster::detail {

// Marks the smallest core point of each cluster, and tells each cell the one of its own.
template <typename T, int axes>
__global__ void mark_clusters(device_cells<T, axes> all) {
  device::start_in_stream_order();
  const std::uint32_t cells = all.tally->cells;
  for (std::uint32_t cell = blockIdx.x * blockDim.x + threadIdx.x; cell < cells;
       cell += gridDim.x * blockDim.x) {
    const std::uint32_t first = all.first_core[cell];
    if (first == all.no_point) continue;
    const std::uint32_t root = all.sets.find(first);
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

// Above every cluster.
inline constexpr std::int32_t no_cluster = std::numeric_limits<std::int32_t>::max();

// The smallest cluster among the core neighbours of up to 32 points of a cell, one in each lane of
// `open`; `nearest` where there is no smaller one.
//   called by   a whole warp
template <typename T, int axes>
[[nodiscard]] __device__ inline std::int32_t smallest_cluster_nearby(
    const device_cells<T, axes>& all, const nearby_cells<T, axes>& nearby,
    const device_point<T, axes>& mine, std::int32_t nearest, lane_mask open) {
  using nearby_all = nearby_cells<T, axes>;
  for (int round = 0; round < nearby.rounds; ++round) {
    const std::uint32_t cell = nearby.cell(round);
    const bool is_core_cell = cell != nearby_all::none && all.core_counts[cell] != 0;
    if (!warp::any(is_core_cell)) continue;
    std::int32_t cluster = 0;
    std::uint32_t begin = 0, size = 0;
    device_box<T, axes> box{};
    if (is_core_cell) {
      cluster = all.cluster_of(cell);
      begin = all.begins[cell];
      size = all.sizes[cell];
      box = all.boxes[cell];
    }
    for (lane_mask left = open; left != 0; left &= left - 1) {
      const int asking = first_lane(left);
      const auto one = shuffle(all_lanes, mine, asking);
      std::int32_t best = shuffle(all_lanes, nearest, asking);
      const bool is_candidate =
          is_core_cell && cluster < best && !(box.least_to(one) > all.bounds.perhaps);
      deal_items(begin, is_candidate ? size : 0,
                 [&](std::uint32_t place, int owner, bool is_place) {
                   const std::int32_t theirs = shuffle(all_lanes, cluster, owner);
                   const bool is_near = is_place && theirs < best && all.is_core[place] &&
                                        are_neighbours(one, all.at(place), all.bounds);
                   best = warp::reduce(is_near ? theirs : best, minimum{});
                   return true;
                 });
      if (lane_id() == asking) nearest = best;
    }
  }
  return nearest;
}

template <typename T, int axes>
__device__ inline void write_label(const device_cells<T, axes>& all, std::uint32_t place,
                                   std::int32_t cluster, bool is_core) {
  const std::uint32_t number = all.numbers[place];
  all.labels[number] = cluster == no_cluster ? noise : cluster;
  if (all.is_core_point != nullptr) all.is_core_point[number] = is_core;
}

// Core points have the cluster of their cell.
template <typename T, int axes>
__device__ inline void label_core_points(const device_cells<T, axes>& all) {
  const std::uint32_t places = all.tally->places;
  for (std::uint32_t place = blockIdx.x * blockDim.x + threadIdx.x; place < places;
       place += gridDim.x * blockDim.x) {
    if (all.is_core[place]) write_label(all, place, all.cluster_of(all.cells[place]), true);
  }
}

// The others are looked after where a core point is near: a warp for each cell that has such, which
// has less than min_points points.
template <typename T, int axes>
__device__ inline void label_other_points(const device_cells<T, axes>& all) {
  const std::uint32_t cells = all.tally->cells;
  for (std::uint32_t cell = warp_of_grid(); cell < cells; cell += warps_of_grid()) {
    const std::uint32_t begin = all.begins[cell], size = all.sizes[cell];
    const std::uint32_t core = all.core_counts[cell];
    if (core == size) continue;
    const std::int32_t own = core != 0 ? all.cluster_of(cell) : no_cluster;
    const nearby_cells<T, axes> nearby(all, cell);
    for (std::uint32_t first = 0; first < size; first += warp_size) {
      const std::uint32_t place = begin + first + static_cast<std::uint32_t>(lane_id());
      const bool is_open = place < begin + size && !all.is_core[place];
      device_point<T, axes> mine{};
      if (is_open) mine = all.at(place);
      const std::int32_t cluster =
          smallest_cluster_nearby(all, nearby, mine, own, warp::ballot(is_open));
      if (is_open) write_label(all, place, cluster, false);
    }
  }
}

template <typename T, int axes>
__global__ void label_points(device_cells<T, axes> all) {
  device::start_in_stream_order();
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    const std::uint32_t last = all.words_of_firsts() - 1;
    *all.clusters = all.firsts_before[last] + count_bits{}(all.firsts[last]);
    all.tally->bricks_to_clear = all.tally->bricks;
  }
  label_core_points(all);
  label_other_points(all);
}

// Leaves the table and the tally as the next clustering wants them.
template <typename T, int axes>
__global__ void clear_table(device_cells<T, axes> all) {
  device::start_in_stream_order();
  const std::uint32_t bricks = all.tally->bricks_to_clear;
  const std::uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread == 0) {
    all.tally->bricks = all.tally->cells = all.tally->places = all.tally->pairs = 0;
  }
  for (std::uint32_t i = thread; i < bricks; i += gridDim.x * blockDim.x) {
    all.bricks[all.used_slots[i]] = {};
  }
}

}  // namespace heddle::cluster::detail
