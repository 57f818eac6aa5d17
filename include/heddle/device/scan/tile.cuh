// The part of a scan that one warp does alone: its share of a tile, in rows of vectors.
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

// How a tile is divided. A lane holds `vector` neighbours of each row, the lanes of a warp form a
// row, a warp holds `rows` consecutive rows, and the warps of a block form a tile.
//   value_bytes   of an element; other_bytes: of what is read with it
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

// Stores 16 bytes to global memory. In asm, because the compiler splits vectors where another
// branch stores the same elements one by one.
__device__ inline void store_global_vector(void* to, const uint4& bits) {
  asm volatile("st.global.v4.b32 [%0], {%1, %2, %3, %4};"
               :
               : "l"(to), "r"(bits.x), "r"(bits.y), "r"(bits.z), "r"(bits.w)
               : "memory");
}

// Reads `count` neighbours from shared memory, in as few loads as their alignment allows.
//   from      aligned to 16 bytes, or to the total size if that is less
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

// How many values a lane keeps of its rows until the lanes are joined. If op commutes, all rows
// fold into one. Otherwise each row stays separate, because the next row follows the last lane.
template <int rows, typename Item, typename Op>
inline constexpr int row_parts = commutes<Op, Item> ? 1 : rows;

// Folds the lane's own items.
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

// Combines the lanes of a warp in order, for several slices at once.
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

// Combines all items of a warp, in order.
//   called by   every lane of the warp
//   result in   lane 0
template <int rows, int vector, typename Item, typename Op>
[[nodiscard]] __device__ inline Item reduce_items(const Item (&items)[rows][vector], const Op& op) {
  Item parts[1][row_parts<rows, Item, Op>], totals[1];
  fold_rows(items, op, parts[0]);
  join_lanes(parts, op, totals);
  return totals[0];
}

// As combine_where(), for several rows combined side by side under one condition. The empty asm
// keeps the rows apart for every type. Otherwise the compiler merges everything under the condition
// into one branch, including the shuffles in between, and the warp diverges there.
template <typename Item, typename Op>
__device__ inline void join_where(bool is_meant, const Item& earlier, Item& later, const Op& op) {
  if (is_meant) {
    asm volatile("");
    later = op(earlier, later);
  }
}

// Combines the lanes before this one, for each row; the result is undefined in lane 0.
//   called by   every lane of the warp
//   values      one per row and lane; each becomes the total of its row, in every lane
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
  // Now each lane holds the inclusive scan of its row.
#pragma unroll
  for (int row = 0; row < rows; ++row) {
    before[row] = shuffle_up(all_lanes, values[row], 1);
    values[row] = shuffle(all_lanes, values[row], warp_size - 1);
  }
}

// The prefix of each row of the lane within the warp's own items; undefined for the first row of
// lane 0, which has no prefix.
//   called by   every lane of the warp
//   cost        all shuffles of the scan: once the warp's prefix is known, only one op per row and
//               per item remains
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

// Calls visit(row, i, before, item, including) for each item of the lane, in order. `before` is the
// item's prefix; it is undefined for the very first item if the warp has no prefix. Does not
// synchronise lanes.
//   before_rows   from scan_rows()
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
