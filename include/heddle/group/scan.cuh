// Prefix scans: one value per member of a group in, the combined values up to each member out.
//   strategy    tiles: as in a warp; other groups in a warp step by rank; several warps: values go
//               through shared memory, where the first warp scans them
//   needs       sm_75
#pragma once
#include <heddle/core/operators.cuh>
#include <heddle/group/members.cuh>
#include <heddle/group/team_scan.cuh>
#include <heddle/group/tile_team.cuh>
#include <heddle/group/tree.cuh>
#include <heddle/warp/scan.cuh>

namespace heddle::group {

// The contract of all scans:
//   called by   every member
//   result in   each member: the combined values of the members up to it, in rank order
//   op          associative; need not commute
//   T           the type in which values are combined: to add bytes as int, pass int
//   order       a fixed tree for each member. Sums and products of half and bfloat16 are
//               accumulated in float and rounded once
//   scratch     (groups of several warps) in shared memory, one for each group that calls; may be
//               reused immediately

// Each member gets the result up to and including its own value.
//   cost        tiles, and whole warps of every kind: as warp::inclusive_scan(). Others, in
//               shuffles for every four bytes: up to 8 consecutive lanes take three and up to 31
//               take five, each with two other instructions; up to four lanes anywhere take one per
//               lane; all other lanes, and parts, take five, each with eight other instructions
template <in_one_warp Group, exchangeable T, combines<T> Op = plus>
[[nodiscard]] __device__ T inclusive_scan(const Group& group, T value, Op op = {}) {
  if constexpr (warp_tile<Group>) {
    return warp::inclusive_scan<tile_size<Group>>(value, op, lanes_of(group).mask);
  } else {
    const auto mine = static_cast<detail::carried<T, Op>>(value);
    return static_cast<T>(detail::scan_lanes(lanes_of(group), mine, op));
  }
}

// Each member gets the result of the members before it; the first one gets the identity of op.
//   cost        that of inclusive_scan() plus one shuffle for every four bytes, or one instruction
//               for sums and exclusive ors of integers
template <in_one_warp Group, exchangeable T, combines<T> Op = plus>
requires has_identity<Op, T>
[[nodiscard]] __device__ T exclusive_scan(const Group& group, T value, Op op = {}) {
  const auto members = lanes_of(group);
  if constexpr (warp_tile<Group>) {
    return warp::exclusive_scan<tile_size<Group>>(value, op, members.mask);
  } else {
    using carried = detail::carried<T, Op>;
    const carried including = detail::scan_lanes(members, static_cast<carried>(value), op);
    if constexpr (warp::detail::is_undone_exactly<T, Op>) {
      return warp::detail::undo<Op>(including, value);
    } else {
      return static_cast<T>(
          detail::shift_lanes(members, including, static_cast<carried>(identity<Op, T>())));
    }
  }
}

// exclusive_scan() with `initial` instead of the identity, before the first value. Only the first
// member's `initial` is used.
//   cost        that of inclusive_scan() plus one shuffle for every four bytes
template <in_one_warp Group, exchangeable T, combines<T> Op = plus>
[[nodiscard]] __device__ T exclusive_scan_from(const Group& group, T initial, T value, Op op = {}) {
  const auto members = lanes_of(group);
  if constexpr (warp_tile<Group>) {
    return warp::exclusive_scan_from<tile_size<Group>>(initial, value, op, members.mask);
  } else {
    using carried = detail::carried<T, Op>;
    // Each member now holds the value of the one before it, the first one `initial`.
    const carried earlier =
        detail::shift_lanes(members, static_cast<carried>(value), static_cast<carried>(initial));
    return static_cast<T>(detail::scan_lanes(members, earlier, op));
  }
}

// The same three for a block or a tile of several warps; `initial` must be the same in all threads.
//   scratch     in shared memory, one for each group that calls; may be reused immediately
//   cost        that of the same block:: scan in a block of the same size, with the same kind of
//               scratch
template <of_several_warps Group, exchangeable T, int threads, combines<T> Op>
[[nodiscard]] __device__ T inclusive_scan(const Group& group, T value, Op op,
                                          scratch<T, threads>& scratch) {
  const auto mine = static_cast<carried<T, Op>>(value);
  return static_cast<T>(
      detail::scan_team<detail::scan_kind::inclusive>(detail::team_of(group, scratch), mine, op,
                                                      detail::nothing_before{}, scratch)
          .result);
}

// Exclusive, with `initial` before the first value.
template <of_several_warps Group, exchangeable T, int threads, combines<T> Op>
[[nodiscard]] __device__ T exclusive_scan_from(const Group& group, T initial, T value, Op op,
                                               scratch<T, threads>& scratch) {
  const auto mine = static_cast<carried<T, Op>>(value);
  const detail::initial_before<carried<T, Op>> first{static_cast<carried<T, Op>>(initial)};
  return static_cast<T>(detail::scan_team<detail::scan_kind::exclusive>(
                            detail::team_of(group, scratch), mine, op, first, scratch)
                            .result);
}

// Exclusive; the first member gets the identity of op.
template <of_several_warps Group, exchangeable T, int threads, combines<T> Op>
requires has_identity<Op, T>
[[nodiscard]] __device__ T exclusive_scan(const Group& group, T value, Op op,
                                          scratch<T, threads>& scratch) {
  return exclusive_scan_from(group, identity<Op, T>(), value, op, scratch);
}

}  // namespace heddle::group
