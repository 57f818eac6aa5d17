// All that the kernels of a clustering work on.
#pragma once
#include <heddle/cluster/bricks.cuh>
#include <heddle/cluster/device_points.cuh>
#include <heddle/cluster/pair_list.cuh>
#include <heddle/container/union_find.cuh>
#include <heddle/core/lane.cuh>

#include <cstdint>

namespace heddle::cluster::detail {

// Of all kernels of a clustering.
inline constexpr int warps_of_block = 8;

// How much there is of everything. Zero before and after each clustering, but for the last.
struct device_tally {
  std::uint32_t bricks;
  std::uint32_t cells;
  std::uint32_t places;        // points that have a cell
  std::uint32_t pairs_beside;  // see device_cells
  std::uint32_t other_pairs;
  std::uint32_t bricks_to_clear;
};

// Points have numbers, as the caller counts them; those with finite coordinates also have places,
// on which the points of a cell follow each other. A core cell is one with a core point; the
// smallest of its core points stands for it among the sets of the union-find, whose roots therefore
// are the smallest core points of the clusters.
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
  std::uint32_t* used_slots = nullptr;  // of each brick

  // Of each point. First brick and cell, slot * 64 + in_brick; then cell << 32 | rank in the cell.
  std::uint64_t* seats = nullptr;
  std::int32_t* labels = nullptr;
  std::uint8_t* is_core_point = nullptr;  // may be null

  // Of each place.
  T* values[axes] = {};
  std::uint32_t* numbers = nullptr;
  std::uint32_t* cells = nullptr;
  std::uint8_t* is_core = nullptr;

  // Of each cell.
  std::uint64_t* homes = nullptr;  // slot * 64 + in_brick
  std::uint32_t* begins = nullptr;
  std::uint32_t* sizes = nullptr;
  std::uint32_t* core_counts = nullptr;
  std::uint32_t* first_core = nullptr;   // the smallest number of its core points
  device_box<T, axes>* boxes = nullptr;  // around its core points
  std::uint32_t* roots = nullptr;        // the smallest core point of its cluster

  // Of cells that share a side, and of others.
  pair_list pairs_beside = {};
  pair_list other_pairs = {};

  // Of points that stand for core cells.
  container::union_find_view sets = {};
  std::uint32_t* parents = nullptr;  // the memory of `sets`

  // A bit for each point, set for the smallest core point of a cluster, and for each word of bits
  // how many are set in the words before.
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

  // The cluster of a core cell, once they are numbered.
  [[nodiscard]] __device__ std::int32_t cluster_of(std::uint32_t cell) const {
    const std::uint32_t root = roots[cell];
    const std::uint32_t word = root / 32;
    const std::uint32_t below = firsts[word] & ((std::uint32_t{1} << root % 32) - 1);
    return static_cast<std::int32_t>(firsts_before[word]) + __popc(below);
  }
};

// The caller's warp among all of the grid, and how many there are.
[[nodiscard]] __device__ inline std::uint32_t warp_of_grid() {
  return (blockIdx.x * blockDim.x + threadIdx.x) / warp_size;
}
[[nodiscard]] __device__ inline std::uint32_t warps_of_grid() {
  return gridDim.x * (blockDim.x / warp_size);
}

}  // namespace heddle::cluster::detail
