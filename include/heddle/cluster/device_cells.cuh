// The data that all kernels of a clustering work on.
#pragma once
#include <heddle/cluster/bricks.cuh>
#include <heddle/cluster/device_points.cuh>
#include <heddle/cluster/pair_list.cuh>
#include <heddle/container/union_find.cuh>
#include <heddle/core/lane.cuh>

#include <cstdint>

namespace heddle::cluster::detail {

// For all kernels of a clustering.
inline constexpr int warps_of_block = 8;

// How many there are of everything. Zero before and after each clustering, except for
// bricks_to_clear.
struct device_tally {
  std::uint32_t bricks;
  std::uint32_t cells;
  std::uint32_t places;        // points that have a cell
  std::uint32_t pairs_beside;  // see device_cells
  std::uint32_t other_pairs;
  std::uint32_t bricks_to_clear;
};

// Points are numbered as in the caller's arrays. Those with finite coordinates also have a place,
// and the points of a cell have consecutive places. A core cell is one with a core point. In the
// union-find, the smallest of its core points represents it, so each root is the smallest core
// point of its cluster.
template <typename T, int axes>
struct device_cells {
  static constexpr std::uint32_t no_point = ~std::uint32_t{0};
  static constexpr std::uint64_t no_seat = ~std::uint64_t{0};

  device_points<T, axes> points;
  double per_cell;
  neighbour_bounds<T> bounds;
  std::uint32_t min_points;

  brick_table<axes> bricks;
  device_tally* tally;
  std::uint32_t* used_slots = nullptr;  // one per brick

  // Per point. At first brick and cell, slot * 64 + in_brick; then cell << 32 | rank in the cell.
  std::uint64_t* seats = nullptr;
  std::int32_t* labels = nullptr;
  std::uint8_t* is_core_point = nullptr;  // may be null

  // Per place.
  T* values[axes] = {};
  std::uint32_t* numbers = nullptr;
  std::uint32_t* cells = nullptr;
  std::uint8_t* is_core = nullptr;

  // Per cell.
  std::uint64_t* homes = nullptr;  // slot * 64 + in_brick
  std::uint32_t* begins = nullptr;
  std::uint32_t* sizes = nullptr;
  std::uint32_t* core_counts = nullptr;
  std::uint32_t* first_core = nullptr;   // the smallest number of its core points
  device_box<T, axes>* boxes = nullptr;  // around its core points
  std::uint32_t* roots = nullptr;        // the smallest core point of its cluster

  // Pairs of cells that share a side, and other pairs.
  pair_list pairs_beside = {};
  pair_list other_pairs = {};

  // The sets of the points that represent core cells.
  container::union_find_view sets = {};
  std::uint32_t* parents = nullptr;  // the memory of `sets`

  // A bit for each point, set for the smallest core point of a cluster; and for each word of bits,
  // the number of set bits in the words before it.
  std::uint32_t* firsts = nullptr;
  std::uint32_t* firsts_before = nullptr;
  std::uint32_t* clusters = nullptr;  // how many there are

  [[nodiscard]] __host__ __device__ std::uint32_t words_of_firsts() const {
    return points.count / 32 + 1;
  }

  [[nodiscard]] __device__ device_point<T, axes> at(std::uint32_t place) const {
    device_point<T, axes> result;
#pragma unroll
    for (int axis = 0; axis < axes; ++axis) result.at[axis] = values[axis][place];
    return result;
  }

  // The cluster of a core cell, once clusters are numbered.
  [[nodiscard]] __device__ std::int32_t cluster_of(std::uint32_t cell) const {
    const std::uint32_t root = roots[cell];
    const std::uint32_t word = root / 32;
    const std::uint32_t below = firsts[word] & ((std::uint32_t{1} << root % 32) - 1);
    return static_cast<std::int32_t>(firsts_before[word]) + __popc(below);
  }
};

// The index of the caller's warp in the grid, and the number of warps.
[[nodiscard]] __device__ inline std::uint32_t warp_of_grid() {
  return (blockIdx.x * blockDim.x + threadIdx.x) / warp_size;
}
[[nodiscard]] __device__ inline std::uint32_t warps_of_grid() {
  return gridDim.x * (blockDim.x / warp_size);
}

}  // namespace heddle::cluster::detail
