// How the warps of a block, or of a tile of several warps, bring their results together.
#pragma once
#include <heddle/core/operators.cuh>
#include <heddle/core/words.cuh>
#include <heddle/group/members.cuh>
#include <heddle/group/scratch.cuh>
#include <heddle/group/team.cuh>
#include <heddle/group/team_reduce.cuh>
#include <heddle/group/team_scan.cuh>
#include <heddle/group/tree.cuh>

namespace heddle::group {

// What a warp learns from a scan over warps.
template <typename T>
struct warp_prefix {
  T before;  // the result of the warps before the caller's; in the first warp something else
  T total;   // the result of all warps
};

namespace detail {

// Up to so many warps each fold the values of all, without a shuffle. Of more, the first warp makes
// the result for all.
inline constexpr int most_folded_warps = 8;

// What the threads of each warp of a group make, in every one of them; and up to each of them.
template <typename Group, typename T, typename Op>
__device__ inline T reduce_each_warp(const Group& group, const T& value, const Op& op) {
  if (has_whole_warps(group)) return warp::reduce(value, op);
  return reduce_lanes(lanes_in_warp(group), value, op);
}
template <typename Group, typename T, typename Op>
__device__ inline T scan_each_warp(const Group& group, const T& value, const Op& op) {
  if (has_whole_warps(group)) return warp::inclusive_scan(value, op);
  return scan_lanes(lanes_in_warp(group), value, op);
}

// The threads of a tile of several warps.
template <of_several_warps Tile>
struct tile_team : place {
  const Tile& tile;
  __device__ explicit tile_team(const Tile& own)
      : place(static_cast<int>(own.thread_rank()), tile_size<Tile>), tile(own) {}
  __device__ void sync() const { tile.sync(); }
};

// The team that a group is.
template <of_several_warps Group, typename T, int threads>
__device__ inline auto team_of(const Group& group, const scratch<T, threads>& shared) {
  if constexpr (tile_size < Group >> 0) {
    static_assert(threads == any_size || threads == tile_size<Group>,
                  "a scratch is for tiles of its own size, or of any_size");
    return tile_team<Group>(group);
  } else {
    return block_of(shared);
  }
}

}  // namespace detail

// Combines one value of each warp, in the order of the warps.
//   called by   every thread of the group, a whole block or a tile of several warps
//   value       that of the caller's warp, the same in all its threads; T or accumulator<T>
//   result in   every thread, bit for bit the same
//   op          associative; need not commute
//   scratch     in shared memory, one for each group that calls; may be passed again at once
//   cost        two barriers, a shared load, and up to five shuffles for every four bytes in the
//               first warp
template <of_several_warps Group, exchangeable Value, exchangeable T, int threads,
          combines<Value> Op>
[[nodiscard]] __device__ Value reduce_warps(const Group& group, Value value, Op op,
                                            scratch<T, threads>& scratch) {
  const auto here = detail::team_of(group, scratch);
  if (here.is_alone()) return value;
  Value* const partials = detail::partials_of<Value>(scratch);
  Value* const results = detail::results_of<Value>(scratch);
  if (here.lane == 0) partials[here.warp] = value;
  here.sync();
  if (here.warp == 0) {
    const Value total = detail::reduce_partials(partials, here.warps, op);
    if (here.lane == 0) results[0] = total;
  }
  here.sync();
  return results[0];
}

// Scans one value of each warp, in the order of the warps.
//   called by   every thread of the group, a whole block or a tile of several warps
//   value       that of the caller's warp, in the warp's last thread; T or accumulator<T>
//   result in   every thread, the same in all threads of a warp
//   op          associative; need not commute
//   scratch     in shared memory, one for each group that calls; may be passed again at once
//   cost        as reduce_warps()
template <of_several_warps Group, exchangeable Value, exchangeable T, int threads,
          combines<Value> Op>
[[nodiscard]] __device__ warp_prefix<Value> scan_warps(const Group& group, Value value, Op op,
                                                       scratch<T, threads>& scratch) {
  const auto here = detail::team_of(group, scratch);
  if (here.is_alone()) return {value, heddle::shuffle(all_lanes, value, here.lanes - 1)};
  Value* const partials = detail::partials_of<Value>(scratch);
  Value* const results = detail::results_of<Value>(scratch);
  if (here.lane == here.lanes - 1) partials[here.warp] = value;
  here.sync();
  if (here.warp == 0) {
    const Value up_to_warp = warp::inclusive_scan(partials[min(here.lane, here.warps - 1)], op);
    if (here.lane < here.warps) results[here.lane] = up_to_warp;
  }
  here.sync();
  return {results[here.warp == 0 ? 0 : here.warp - 1], results[here.warps - 1]};
}

}  // namespace heddle::group
