// The part of a scan that one warp does by itself: its share of a tile, in rows of vectors.
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/operators.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/core/vector_access.cuh>
#include <heddle/warp/scan.cuh>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace heddle::device::detail {

// How a tile is cut. A lane holds `vector` neighbours of each row, the lanes of a warp make a row,
// a warp has `rows` rows one after the other, and the warps of a block make a tile.
//   value_bytes   of an element; other_bytes what is read with it
template <int value_bytes, int other_bytes, int warps_per_tile, int lane_bytes>
struct tile_shape {
  static constexpr bool fills_vectors =
      value_bytes <= vector_bytes && (value_bytes & (value_bytes - 1)) == 0;
  static constexpr int warps = warps_per_tile;
  static constexpr int vector = fills_vectors ? vector_bytes / value_bytes : 1;
  static constexpr int wanted_rows = lane_bytes / (vector * (value_bytes + other_bytes));
  static constexpr int rows = wanted_rows > 1 ? wanted_rows : 1;
  static constexpr int row_items = vector * warp_size;
  static constexpr int warp_items = rows * row_items;
  static constexpr int tile_items = warps * warp_items;
};

// 16 bytes to global memory. As a statement, because the compiler takes vectors apart where it
// finds the same elements stored one by one in another branch.
__device__ inline void store_global_vector(void* to, const uint4& bits) {
  asm volatile("st.global.v4.b32 [%0], {%1, %2, %3, %4};"
               :
               : "l"(to), "r"(bits.x), "r"(bits.y), "r"(bits.z), "r"(bits.w)
               : "memory");
}

// `count` neighbours of shared memory, in as few loads as their alignment allows.
//   from      aligned to 16 bytes or to all the bytes that are read, if those are fewer
template <int count, typename T>
__device__ inline void read_neighbours(const T* from, T (&values)[count]) {
  constexpr int bytes = count * static_cast<int>(sizeof(T));
  if constexpr (bytes % 16 == 0) {
    std::memcpy(static_cast<void*>(values), __builtin_assume_aligned(from, 16), bytes);
  } else if constexpr (bytes == 8 || bytes == 4 || bytes == 2) {
    std::memcpy(static_cast<void*>(values), __builtin_assume_aligned(from, bytes), bytes);
  } else {
#pragma unroll
    for (int i = 0; i < count; ++i) values[i] = from[i];
  }
}

// How many values a lane keeps of its rows until the lanes are joined: all rows make one where op
// commutes, and else each stands for itself, because the next row comes after the last lane.
template <int rows, typename Item, typename Op>
inline constexpr int row_parts = commutes<Op, Item> ? 1 : rows;

// What the lane's own items make, without the other lanes.
template <int rows, int vector, typename Item, typename Op>
__device__ inline void fold_rows(const Item (&items)[rows][vector], const Op& op,
                                 Item (&parts)[row_parts<rows, Item, Op>]) {
#pragma unroll
  for (int row = 0; row < rows; ++row) {
    Item total = items[row][0];
#pragma unroll
    for (int i = 1; i < vector; ++i) total = op(total, items[row][i]);
    if constexpr (commutes<Op, Item>) {
      parts[0] = row == 0 ? total : op(parts[0], total);
    } else {
      parts[row] = total;
    }
  }
}

// What the lanes of a warp make of several slices at once, in order.
//   called by   every lane of the warp
//   result in   lane 0: totals[slice]
template <int slices, int parts, typename Item, typename Op>
__device__ inline void join_lanes(Item (&values)[slices][parts], const Op& op,
                                  Item (&totals)[slices]) {
  // Before each step the lanes at multiples of `distance` hold the result of `distance` lanes.
#pragma unroll
  for (int distance = 1; distance < warp_size; distance *= 2) {
#pragma unroll
    for (int slice = 0; slice < slices; ++slice) {
#pragma unroll
      for (int part = 0; part < parts; ++part) {
        Item& mine = values[slice][part];
        mine = op(mine, shuffle_down(all_lanes, mine, distance));
      }
    }
  }
#pragma unroll
  for (int slice = 0; slice < slices; ++slice) {
    totals[slice] = values[slice][0];
#pragma unroll
    for (int part = 1; part < parts; ++part) totals[slice] = op(totals[slice], values[slice][part]);
  }
}

// What the items of a warp make together, in order.
//   called by   every lane of the warp
//   result in   lane 0
template <int rows, int vector, typename Item, typename Op>
[[nodiscard]] __device__ inline Item reduce_items(const Item (&items)[rows][vector], const Op& op) {
  Item parts[1][row_parts<rows, Item, Op>], totals[1];
  fold_rows(items, op, parts[0]);
  join_lanes(parts, op, totals);
  return totals[0];
}

// As combine_where(), where several rows are combined beside each other under one condition. The
// empty statement keeps those apart for every type: else the compiler makes one branch of all that
// has the condition, with the shuffles in between, and parts the warp there.
template <typename Item, typename Op>
__device__ inline void join_where(bool is_meant, const Item& earlier, Item& later, const Op& op) {
  if (is_meant) {
    asm volatile("");
    later = op(earlier, later);
  }
}

// What the lanes before this one make of each row; without meaning in lane 0.
//   called by   every lane of the warp
//   values      of each lane; become what the whole row makes, in every lane
template <int rows, typename Item, typename Op>
__device__ inline void scan_lanes(Item (&values)[rows], const Op& op, Item (&before)[rows]) {
  const int lane = lane_id();
#pragma unroll
  for (int distance = 1; distance < warp_size; distance *= 2) {
#pragma unroll
    for (int row = 0; row < rows; ++row) {
      const Item earlier = shuffle_up(all_lanes, values[row], distance);
      join_where(lane >= distance, earlier, values[row], op);
    }
  }
  // Now each lane holds what its row makes up to and including itself.
#pragma unroll
  for (int row = 0; row < rows; ++row) {
    before[row] = shuffle_up(all_lanes, values[row], 1);
    values[row] = shuffle(all_lanes, values[row], warp_size - 1);
  }
}

// What stands before each row of the lane within the warp's own items; without meaning in lane 0
// for the first row, before which nothing stands.
//   called by   every lane of the warp
//   cost        all shuffles of a scan: what is left when the warp knows what stands before it is a
//               use of op for each row and each item
template <int rows, int vector, typename Item, typename Op>
__device__ inline void scan_rows(const Item (&items)[rows][vector], const Op& op,
                                 Item (&before)[rows]) {
  Item totals[rows];
#pragma unroll
  for (int row = 0; row < rows; ++row) {
    totals[row] = items[row][0];
#pragma unroll
    for (int i = 1; i < vector; ++i) totals[row] = op(totals[row], items[row][i]);
  }
  scan_lanes(totals, op, before);
  const bool is_first = lane_id() == 0;
#pragma unroll
  for (int row = 1; row < rows; ++row) {
    if (is_first) before[row] = totals[row - 1];
    join_where(!is_first, totals[row - 1], before[row], op);
    totals[row] = op(totals[row - 1], totals[row]);
  }
}

// Calls visit(row, i, before, item, including) for each item of the lane, in order: `before` is
// what stands before the item, and without meaning for the very first if nothing stands before the
// warp. No lane meets another here.
//   before_rows   of scan_rows()
template <int rows, int vector, typename Item, typename Op, typename Visit>
__device__ inline void finish_rows(const Item (&items)[rows][vector],
                                   const Item (&before_rows)[rows], bool has_before,
                                   const Item& before, const Op& op, Visit&& visit) {
  using warp::detail::combine_where;
  const bool is_later = lane_id() > 0;
#pragma unroll
  for (int row = 0; row < rows; ++row) {
    Item running = row > 0 || is_later ? before_rows[row] : before;
    running = combine_where(has_before && (row > 0 || is_later), before, running, running, op);
#pragma unroll
    for (int i = 0; i < vector; ++i) {
      const Item own = items[row][i];
      const bool has_running = row > 0 || i > 0 || has_before || is_later;
      const Item including = combine_where(has_running, running, own, own, op);
      visit(row, i, running, own, including);
      running = including;
    }
  }
}

}  // namespace heddle::device::detail
