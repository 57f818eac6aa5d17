// How the lanes of a warp find and scan runs in rows of keys and values.
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/device/select/tile.cuh>
#include <heddle/warp/combine.cuh>

#include <cstdint>

namespace heddle::device::detail {

// The keys of a lane as loaded, and in lane 0 the key before the warp's first.
template <typename Problem>
struct lane_keys {
  using key = typename Problem::key;
  lane_elements<typename Problem::shape, decltype(Problem::keys)> own;
  key before;

  __device__ void load(const Problem& problem, std::int64_t first) {
    own.load(problem.keys, first, problem.count);
    if (lane_id() == 0 && first > 0) {
      before = problem.keys[first <= problem.count ? first - 1 : problem.count - 1];
    }
  }
};

// Bit i of begins[row]: a run begins at the lane's i-th element of that row. A begin is also set
// after the last element, so that the last run ends.
template <typename Problem, typename Shape = typename Problem::shape>
__device__ inline void mark_begins(const Problem& problem, std::int64_t first,
                                   const typename Problem::key& before,
                                   const typename Problem::key (&keys)[Shape::rows][Shape::vector],
                                   std::uint32_t (&begins)[Shape::rows]) {
  using key = typename Problem::key;
  const int lane = lane_id();
  // Each lane gets the last key of the lane before it, and lane 0 that of the row's last lane. All
  // shuffles come before the first select; otherwise the compiler gives lane 0 a branch of its own.
  key turned[Shape::rows];
#pragma unroll
  for (int row = 0; row < Shape::rows; ++row) {
    turned[row] = shuffle(all_lanes, keys[row][Shape::vector - 1], lane + warp_size - 1);
  }
#pragma unroll
  for (int row = 0; row < Shape::rows; ++row) {
    key previous = lane == 0 ? (row == 0 ? before : turned[row == 0 ? 0 : row - 1]) : turned[row];
    begins[row] = 0;
#pragma unroll
    for (int i = 0; i < Shape::vector; ++i) {
      const bool begins_here = !problem.equal(previous, keys[row][i]);
      begins[row] |= begins_here ? 1u << i : 0u;
      previous = keys[row][i];
    }
  }
  // Only at the two ends of the input.
  if (first == 0 && lane == 0) begins[0] |= 1u;
  if (first + Shape::warp_items <= problem.count) return;
  const int end = static_cast<int>(problem.count - first);
#pragma unroll
  for (int row = 0; row < Shape::rows; ++row) {
    const int left = end - (row * Shape::row_items + lane * Shape::vector);  // in the lane
    if (left >= Shape::vector) continue;
    begins[row] &= left < 0 ? 0u : (1u << left) - 1;
    begins[row] |= left < 0 ? 0u : 1u << left;
  }
}

// Combines each run's values before the next begin, within this warp.
//   called by   every lane of the warp
//   values      become the inclusive scan of their run; only those just before a begin are
//               meaningful
//   before      becomes the prefix of the lane's first value in each row; undefined for the warp's
//               first value
//   result      the result of the run still open at the warp's end; in every lane
//   op          associative; need not commute
//   cost        seven shuffles per four bytes and row, and two uses of op per value
template <int rows, int vector, typename T, typename Op>
[[nodiscard]] __device__ inline T scan_runs(T (&values)[rows][vector],
                                            const std::uint32_t (&begins)[rows], T (&before)[rows],
                                            const Op& op) {
  using warp::detail::combine_where;
  const int lane = lane_id();
  lane_mask with_begin[rows];
  T totals[rows];
  int reach[rows];  // how many lanes before this one belong to the run open at its end
#pragma unroll
  for (int row = 0; row < rows; ++row) {
#pragma unroll
    for (int i = 1; i < vector; ++i) {
      const bool goes_on = (begins[row] >> i & 1) == 0;
      values[row][i] =
          combine_where(goes_on, values[row][i - 1], values[row][i], values[row][i], op);
    }
    totals[row] = values[row][vector - 1];
    with_begin[row] = __ballot_sync(all_lanes, begins[row] != 0);
    const int nearest = last_lane(with_begin[row] & lanes_below(lane + 1));
    reach[row] = lane - (nearest > 0 ? nearest : 0);
  }
  // Before each step a lane holds the result of up to `distance` lanes ending with itself, as far
  // as they belong to its last run.
#pragma unroll
  for (int distance = 1; distance < warp_size; distance *= 2) {
#pragma unroll
    for (int row = 0; row < rows; ++row) {
      const T earlier = shuffle_up(all_lanes, totals[row], distance);
      totals[row] = combine_where(distance <= reach[row], earlier, totals[row], totals[row], op);
    }
  }
  T turned[rows];
#pragma unroll
  for (int row = 0; row < rows; ++row) {
    turned[row] = shuffle(all_lanes, totals[row], lane + warp_size - 1);
  }
  T open = shuffle(all_lanes, totals[0], warp_size - 1);
#pragma unroll
  for (int row = 0; row < rows; ++row) {
    // `open` is the result of the run open at the row's begin; the first row has none.
    const bool no_begin_before = (with_begin[row] & lanes_below(lane)) == 0;
    before[row] = turned[row];
    if (row > 0) {
      before[row] = lane == 0 ? open : before[row];
      before[row] = combine_where(lane > 0 && no_begin_before, open, turned[row], before[row], op);
    }
    const int first_begin = begins[row] == 0 ? vector : __ffs(static_cast<int>(begins[row])) - 1;
    const int joined = row > 0 || lane > 0 ? first_begin : 0;
#pragma unroll
    for (int i = 0; i < vector; ++i) {
      values[row][i] = combine_where(i < joined, before[row], values[row][i], values[row][i], op);
    }
    if (row > 0) {
      const T total = shuffle(all_lanes, totals[row], warp_size - 1);
      open = combine_where(with_begin[row] == 0, open, total, total, op);
    }
  }
  return open;
}

}  // namespace heddle::device::detail
