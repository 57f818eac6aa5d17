// What the lanes of a warp do with rows of values in which segments begin.
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/core/operators.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/core/vector_access.cuh>
#include <heddle/device/scan_tile.cuh>
#include <heddle/warp/reduce.cuh>
#include <heddle/warp/scan.cuh>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace heddle::device::detail {

// How a warp holds a tile: a lane has `vector` neighbours of each row, the lanes of a warp make a
// row, the rows of a tile follow each other. So every load and store of a row is contiguous.
template <typename Element, typename Carried, bool is_pointer, int lane_bytes>
struct warp_tile {
  static constexpr int carried_bytes = sizeof(Carried) > 4 ? static_cast<int>(sizeof(Carried)) : 4;
  static constexpr int wanted = lane_bytes / carried_bytes > 1 ? lane_bytes / carried_bytes : 1;
  static constexpr bool fills_vectors = is_pointer && sizeof(Element) <= vector_bytes &&
                                        (sizeof(Element) & (sizeof(Element) - 1)) == 0;
  static constexpr int elements = wanted >= 4 ? 4 : wanted >= 2 ? 2 : 1;
  static constexpr int vector =
      fills_vectors ? vector_bytes / static_cast<int>(sizeof(Element)) : elements;
  static constexpr int rows = wanted > vector ? wanted / vector : 1;
  static constexpr int row_items = vector * warp_size;
  static constexpr int items = rows * row_items;
};

// A segment that has begun, as far as it is known: the same in every lane.
template <typename T>
struct open_segment {
  T value{};
  bool exists = false;

  template <typename Op>
  __device__ void append(const T& later, const Op& op) {
    value = exists ? op(value, later) : later;
    exists = true;
  }
};

// The lanes that end with the caller's.
[[nodiscard]] __device__ inline lane_mask lanes_up_to_own() {
  lane_mask mask;
  asm("mov.u32 %0, %%lanemask_le;" : "=r"(mask));
  return mask;
}

// scan_segment_rows() for a row in which no segment begins: of its values only the last counts.
template <int vector, typename T, typename Op>
__device__ inline void fold_segment_row(T (&values)[vector], open_segment<T>& open, const Op& op) {
  T total = values[0];
#pragma unroll
  for (int i = 1; i < vector; ++i) total = op(total, values[i]);
    // Before each step the last lanes hold the results of the `distance` lanes that end with them.
#pragma unroll
  for (int distance = 1; distance < warp_size; distance *= 2) {
    total = op(shuffle_up(all_lanes, total, distance), total);
  }
  open.append(shuffle(all_lanes, total, warp_size - 1), op);
  values[vector - 1] = open.value;
}

// The same for a row in which some do.
//   with_begin    the lanes that have one
template <int vector, typename T, typename Op>
__device__ inline void scan_segment_row(T (&values)[vector], std::uint32_t begins,
                                        lane_mask with_begin, open_segment<T>& open, const Op& op) {
  using warp::detail::combine_where;
  const int lane = lane_id();
#pragma unroll
  for (int i = 1; i < vector; ++i) {
    const bool goes_on = (begins >> i & 1) == 0;
    values[i] = combine_where(goes_on, values[i - 1], values[i], values[i], op);
  }
  const int nearest = last_lane(with_begin & lanes_up_to_own());
  const int reach = lane - (nearest > 0 ? nearest : 0);
  // Before each step a lane holds the result of the `distance` lanes that end with it, as far as
  // they are of its last segment.
  T total = values[vector - 1];
#pragma unroll
  for (int distance = 1; distance < warp_size; distance *= 2) {
    const T earlier = shuffle_up(all_lanes, total, distance);
    total = combine_where(distance <= reach, earlier, total, total, op);
  }
  const T of_lanes = shuffle_up(all_lanes, total, 1);
  const bool no_begin_before = prefix(with_begin, lane) == 0;
  T before = lane == 0 ? open.value : of_lanes;
  before =
      combine_where(open.exists && lane > 0 && no_begin_before, open.value, of_lanes, before, op);
  const bool has_before = lane > 0 || open.exists;
  const int first_begin = begins == 0 ? vector : __ffs(static_cast<int>(begins)) - 1;
  const int joined = has_before ? first_begin : 0;
#pragma unroll
  for (int i = 0; i < vector; ++i) {
    values[i] = combine_where(i < joined, before, values[i], values[i], op);
  }
  open.value = shuffle(all_lanes, total, warp_size - 1);
  open.exists = true;
}

// Each value that stands right before a begin, and the last of all, becomes what its segment makes
// up to and including it. The others have no meaning afterwards.
//   called by   every lane of the warp
//   begins      bit i of begins[row]: a segment begins at the i-th value of the lane in that row
//   open        the segment that goes on from before the first row; becomes the one that goes on
//               behind the last
//   op          associative; need not commute
//   cost        for each row in which a segment begins seven shuffles for every four bytes, and up
//               to two uses of op for each value; six and one for the others
template <int rows, int vector, typename T, typename Op>
__device__ inline void scan_segment_rows(T (&values)[rows][vector],
                                         const std::uint32_t (&begins)[rows], open_segment<T>& open,
                                         const Op& op) {
#pragma unroll
  for (int row = 0; row < rows; ++row) {
    const lane_mask with_begin = __ballot_sync(all_lanes, begins[row] != 0);
    if (with_begin == 0) {
      fold_segment_row(values[row], open, op);
    } else {
      scan_segment_row(values[row], begins[row], with_begin, open, op);
    }
  }
}

// What the values of a lane make, of all rows, where any order will do.
template <int rows, int vector, typename T, typename Op>
[[nodiscard]] __device__ inline T fold_lane(const T (&values)[rows][vector], const Op& op) {
  T totals[rows];
#pragma unroll
  for (int row = 0; row < rows; ++row) {
    totals[row] = values[row][0];
#pragma unroll
    for (int i = 1; i < vector; ++i) totals[row] = op(totals[row], values[row][i]);
  }
#pragma unroll
  for (int row = 1; row < rows; ++row) totals[0] = op(totals[0], totals[row]);
  return totals[0];
}

// The first `lanes` lanes, 1 … 32, combined in order; the result is in lane 0.
template <typename T, typename Op>
[[nodiscard]] __device__ inline T fold_first_lanes(T value, int lanes, const Op& op) {
#pragma unroll
  for (int distance = 1; distance < warp_size; distance *= 2) {
    const T later = shuffle_down(all_lanes, value, distance);
    value = warp::detail::combine_where(lane_id() + distance < lanes, value, later, value, op);
  }
  return value;
}

// Bits of `vector` bytes that are 0 or 1 each.
//   from        aligned to the bytes that are read, or to 4 if those are more
template <int vector>
[[nodiscard]] __device__ inline std::uint32_t bits_of_bytes(const std::uint8_t* from) {
  static_assert(vector == 1 || vector == 2 || vector == 4 || vector == 8 || vector == 16);
  constexpr int word_bytes = vector < 4 ? vector : 4;
  using word =
      std::conditional_t<word_bytes == 1, std::uint8_t,
                         std::conditional_t<word_bytes == 2, std::uint16_t, std::uint32_t>>;
  std::uint32_t bits = 0;
#pragma unroll
  for (int i = 0; i < vector; i += word_bytes) {
    const std::uint32_t bytes = *reinterpret_cast<const word*>(from + i);
    // Byte j's bit comes to bit 24 + j; no two of the products' bits meet.
    bits |= (bytes * 0x01020408u >> 24 & 0xfu) << i;
  }
  return bits;
}
template <int vector>
__device__ inline void clear_bytes(std::uint8_t* from) {
  constexpr int word_bytes = vector < 4 ? vector : 4;
  using word =
      std::conditional_t<word_bytes == 1, std::uint8_t,
                         std::conditional_t<word_bytes == 2, std::uint16_t, std::uint32_t>>;
#pragma unroll
  for (int i = 0; i < vector; i += word_bytes) *reinterpret_cast<word*>(from + i) = 0;
}

// `vector` neighbours to shared memory, in as few stores as their size allows.
//   to          aligned to 16 bytes, or to all the bytes that are written if those are fewer
template <int vector, typename T>
__device__ inline void write_neighbours(T* to, const T (&values)[vector]) {
  constexpr int bytes = vector * static_cast<int>(sizeof(T));
  if constexpr (bytes % 16 == 0) {
#pragma unroll
    for (int i = 0; i < bytes / 16; ++i) {
      uint4 word;
      std::memcpy(&word, reinterpret_cast<const char*>(values) + 16 * i, 16);
      reinterpret_cast<uint4*>(to)[i] = word;
    }
  } else {
#pragma unroll
    for (int i = 0; i < vector; ++i) to[i] = values[i];
  }
}

}  // namespace heddle::device::detail
