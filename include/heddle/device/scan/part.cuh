// The items of a segmented scan, and how a warp combines them with votes in place of flags.
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/device/scan/tile.cuh>
#include <heddle/warp/segmented.cuh>

#include <cstdint>

namespace heddle::device::detail {

// Summary of contiguous elements: the result of the last segment among them, and whether a segment
// begins there.
template <typename T>
struct part {
  T value;
  std::uint32_t has_begin;
};

template <typename T, typename Op>
struct join_parts {
  Op op;
  [[nodiscard]] __device__ part<T> operator()(const part<T>& a, const part<T>& b) const {
    part<T> joined = b;
    if (b.has_begin == 0) joined = {static_cast<T>(op(a.value, b.value)), a.has_begin};
    return joined;
  }
};

// Scans each row inclusively over the lanes of a warp.
//   called by   every lane of the warp
//   heads       becomes the lanes of each row in which a segment begins
//   cost        a vote and five shuffles of T per row
template <int rows, typename T, typename Op>
__device__ inline void scan_values(part<T> (&values)[rows], lane_mask (&heads)[rows],
                                   const Op& op) {
  lane_mask up_to_own[rows];
#pragma unroll
  for (int row = 0; row < rows; ++row) {
    heads[row] = __ballot_sync(all_lanes, values[row].has_begin != 0);
    up_to_own[row] = warp::detail::heads_up_to_own<warp_size>(heads[row]);
  }
#pragma unroll
  for (int distance = 1; distance < warp_size; distance *= 2) {
#pragma unroll
    for (int row = 0; row < rows; ++row) {
      const T earlier = shuffle_up(all_lanes, values[row].value, distance);
      join_where(warp::detail::is_headless(up_to_own[row], distance), earlier, values[row].value,
                 op);
    }
  }
}

// As in tile.cuh: the same trees, but the flags do not travel with the values.
template <int rows, typename T, typename Op>
__device__ inline void scan_lanes(part<T> (&values)[rows], const join_parts<T, Op>& op,
                                  part<T> (&before)[rows]) {
  lane_mask heads[rows];
  scan_values(values, heads, op.op);
  const int lane = lane_id();
#pragma unroll
  for (int row = 0; row < rows; ++row) {
    const bool has_earlier_head = prefix(heads[row], lane) != 0;
    before[row] = {shuffle_up(all_lanes, values[row].value, 1), has_earlier_head ? 1u : 0u};
    values[row] = {shuffle(all_lanes, values[row].value, warp_size - 1), heads[row] != 0 ? 1u : 0u};
  }
}

template <int slices, int parts, typename T, typename Op>
__device__ inline void join_lanes(part<T> (&values)[slices][parts], const join_parts<T, Op>& op,
                                  part<T> (&totals)[slices]) {
  // All slices step together, because within a slice each step waits for the previous shuffle.
  part<T> rows[slices * parts];
  lane_mask heads[slices * parts];
#pragma unroll
  for (int row = 0; row < slices * parts; ++row) rows[row] = values[row / parts][row % parts];
  scan_values(rows, heads, op.op);
#pragma unroll
  for (int slice = 0; slice < slices; ++slice) {
    // The last lane of each row holds the result of its last segment.
    totals[slice] = {rows[slice * parts].value, heads[slice * parts] != 0 ? 1u : 0u};
#pragma unroll
    for (int row = slice * parts + 1; row < (slice + 1) * parts; ++row) {
      totals[slice] = op(totals[slice], {rows[row].value, heads[row] != 0 ? 1u : 0u});
    }
    totals[slice].value = shuffle(all_lanes, totals[slice].value, warp_size - 1);
  }
}

}  // namespace heddle::device::detail
