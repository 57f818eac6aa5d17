// How the warps of a block, or of a tile of several warps, bring their results together.
#pragma once
#include <heddle/core/operators.cuh>
#include <heddle/core/words.cuh>
#include <heddle/group/members.cuh>
#include <heddle/group/tree.cuh>

namespace heddle::group {

// The shared memory in which the warps of one group meet:
//   __shared__ group::scratch<float> scratch;
// Groups that work at the same time need one each. A call that gets it may follow at once on
// another. `threads` is the most that a group may have.
template <exchangeable T, int threads = 1024>
class scratch {
  static_assert(threads >= 1 && threads <= 1024, "a block has 1 to 1024 threads");

 public:
  static constexpr int warps = (threads + warp_size - 1) / warp_size;
  using held = accumulator<T>;

  // What each warp brings, and what it gets.
  [[nodiscard]] __device__ held& brought(int warp) {
    return reinterpret_cast<held*>(brought_)[warp];
  }
  [[nodiscard]] __device__ held& made(int warp) { return reinterpret_cast<held*>(made_)[warp]; }

 private:
  // Bytes, since T may have a constructor, which shared memory may not.
  alignas(held) unsigned char brought_[warps * sizeof(held)];
  alignas(held) unsigned char made_[warps * sizeof(held)];
};

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

// The result of the first `size` lanes of a whole warp, in its first lane. Before each step a lane
// holds that of the `distance` lanes that start with it, or of fewer where `size` ends.
template <typename T, typename Op>
__device__ inline T reduce_first_lanes(int size, T value, const Op& op) {
#pragma unroll
  for (int distance = 1; distance < warp_size; distance *= 2) {
    const T later = heddle::shuffle_down(all_lanes, value, distance);
    value = combine_where(lane_id() + distance < size, value, later, value, op);
  }
  return value;
}

}  // namespace detail

// Combines one value of each warp, in the order of the warps.
//   called by   every thread of the group, a whole block or a tile of several warps
//   value       that of the caller's warp, the same in all its threads; T or accumulator<T>
//   result in   every thread, bit for bit the same
//   op          associative; need not commute
//   scratch     in shared memory, one for each group that calls; may be passed again at once
//   cost        two barriers; up to eight warps: one shared load for each warp in all threads;
//   more:
//               five shuffles for every four bytes in the first warp
template <of_several_warps Group, exchangeable Value, exchangeable T, int threads,
          combines<Value> Op>
[[nodiscard]] __device__ Value reduce_warps(const Group& group, Value value, Op op,
                                            scratch<T, threads>& scratch) {
  using held = accumulator<T>;
  const int warps = warps_of(group);
  const int warp = warp_rank_in(group);
  HEDDLE_EXPECTS(warps <= scratch.warps, "this scratch is for groups of fewer threads");
  if (warps == 1) return value;
  if (lane_id() == 0) scratch.brought(warp) = static_cast<held>(value);
  group.sync();
  if (warps <= detail::most_folded_warps) {
    value = static_cast<Value>(scratch.brought(0));
#pragma unroll
    for (int other = 1; other < detail::most_folded_warps; ++other) {
      if (other < warps) value = op(value, static_cast<Value>(scratch.brought(other)));
    }
    group.sync();  // for who gets the scratch next
    return value;
  }
  if constexpr (most_warps < Group >> detail::most_folded_warps) {
    if (warp == 0) {
      value = static_cast<Value>(scratch.brought(min(lane_id(), warps - 1)));
      value = detail::reduce_first_lanes(warps, value, op);
      if (lane_id() == 0) scratch.made(0) = static_cast<held>(value);
    }
    group.sync();
    value = static_cast<Value>(scratch.made(0));
  }
  return value;
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
  using held = accumulator<T>;
  const int warps = warps_of(group);
  const int warp = warp_rank_in(group);
  const int last = last_lane(lanes_in_warp(group).mask);
  HEDDLE_EXPECTS(warps <= scratch.warps, "this scratch is for groups of fewer threads");
  if (warps == 1) return {value, heddle::shuffle(all_lanes, value, last)};
  if (lane_id() == last) scratch.brought(warp) = static_cast<held>(value);
  group.sync();
  if (warps <= detail::most_folded_warps) {
    const auto first = static_cast<Value>(scratch.brought(0));
    warp_prefix<Value> found{first, first};
#pragma unroll
    for (int other = 1; other < detail::most_folded_warps; ++other) {
      if (other == warp) found.before = found.total;
      if (other < warps) {
        found.total = op(found.total, static_cast<Value>(scratch.brought(other)));
      }
    }
    group.sync();  // for who gets the scratch next
    return found;
  }
  if constexpr (most_warps < Group >> detail::most_folded_warps) {
    if (warp == 0) {
      // What lanes without a warp hold comes after all others and is not looked at.
      const auto brought = static_cast<Value>(scratch.brought(min(lane_id(), warps - 1)));
      const Value scanned = warp::inclusive_scan(brought, op);
      if (lane_id() < warps) scratch.made(lane_id()) = static_cast<held>(scanned);
    }
    group.sync();
  }
  return {static_cast<Value>(scratch.made(warp == 0 ? 0 : warp - 1)),
          static_cast<Value>(scratch.made(warps - 1))};
}

}  // namespace heddle::group
