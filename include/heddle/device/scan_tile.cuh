// The part of a scan that one warp does by itself: its share of a tile, in rows of vectors.
#pragma once
#include <heddle/core/lane.cuh>
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

// What the items of a warp make together, in order.
//   called by   every lane of the warp
//   result in   lane 0
template <int rows, int vector, typename Item, typename Op>
[[nodiscard]] __device__ inline Item reduce_items(const Item (&items)[rows][vector], const Op& op) {
  Item totals[rows];
#pragma unroll
  for (int row = 0; row < rows; ++row) {
    totals[row] = items[row][0];
#pragma unroll
    for (int i = 1; i < vector; ++i) totals[row] = op(totals[row], items[row][i]);
  }
  // Before each step the lanes at multiples of `distance` hold the result of `distance` lanes.
#pragma unroll
  for (int distance = 1; distance < warp_size; distance *= 2) {
#pragma unroll
    for (int row = 0; row < rows; ++row) {
      totals[row] = op(totals[row], shuffle_down(all_lanes, totals[row], distance));
    }
  }
#pragma unroll
  for (int row = 1; row < rows; ++row) totals[0] = op(totals[0], totals[row]);
  return totals[0];
}

// Calls visit(row, i, before, item, including) for each item of the lane, in order: `before` is
// what stands before the item, and without meaning for the very first if nothing stands before the
// warp.
//   called by   every lane of the warp, with the same `has_before` and `before`
template <int rows, int vector, typename Item, typename Op, typename Visit>
__device__ inline void scan_items(const Item (&items)[rows][vector], bool has_before, Item before,
                                  const Op& op, Visit&& visit) {
  using warp::detail::combine_where;
  const int lane = lane_id();
  Item totals[rows];
#pragma unroll
  for (int row = 0; row < rows; ++row) {
    totals[row] = items[row][0];
#pragma unroll
    for (int i = 1; i < vector; ++i) totals[row] = op(totals[row], items[row][i]);
  }
#pragma unroll
  for (int distance = 1; distance < warp_size; distance *= 2) {
#pragma unroll
    for (int row = 0; row < rows; ++row) {
      const Item earlier = shuffle_up(all_lanes, totals[row], distance);
      totals[row] = combine_where(lane >= distance, earlier, totals[row], totals[row], op);
    }
  }
  // Now each lane holds what its row makes up to and including itself.
#pragma unroll
  for (int row = 0; row < rows; ++row) {
    const Item lanes_before = shuffle_up(all_lanes, totals[row], 1);
    const Item row_total = shuffle(all_lanes, totals[row], warp_size - 1);
    Item running = lane == 0 ? before : lanes_before;
    running = combine_where(has_before && lane > 0, before, lanes_before, running, op);
    const bool has_running = has_before || lane > 0;
#pragma unroll
    for (int i = 0; i < vector; ++i) {
      const Item own = items[row][i];
      const Item including = combine_where(i > 0 || has_running, running, own, own, op);
      visit(row, i, running, own, including);
      running = including;
    }
    before = combine_where(has_before, before, row_total, row_total, op);
    has_before = true;
  }
}

// What stands before each warp of a tile, from what each warp makes: lane i speaks for warp i.
//   called by   every lane of one warp
template <int warps, typename Item, typename Op>
[[nodiscard]] __device__ inline Item before_warps(const Item& warp_total, bool has_carry,
                                                  const Item& carry, const Op& op) {
  static_assert(warps <= warp_size);
  const Item up_to = warp::detail::scan_up<warp_size>(all_lanes, warp_total, op);
  const Item earlier = shuffle_up(all_lanes, up_to, 1);
  const bool joins = has_carry && lane_id() > 0;
  const Item alone = lane_id() == 0 ? carry : earlier;
  return warp::detail::combine_where(joins, carry, earlier, alone, op);
}

// What the warps of a tile make together: lane i speaks for warp i.
//   result in   lane 0
template <int warps, typename Item, typename Op>
[[nodiscard]] __device__ inline Item join_warps(const Item& warp_total, const Op& op) {
  Item values[1] = {warp_total};
  const int valid[1] = {warps};
#pragma unroll
  for (int distance = 1; distance < warps; distance *= 2) {
    const Item later = shuffle_down(all_lanes, values[0], distance);
    values[0] = warp::detail::combine_where(lane_id() + distance < valid[0], values[0], later,
                                            values[0], op);
  }
  return values[0];
}

}  // namespace heddle::device::detail
