// One value per member of a group in, one value out.
//   strategy    tiles: as in a warp; other groups in a warp find their neighbours by rank; several
//               warps: values go through shared memory, where the first warp combines them
//   needs       sm_75; integers in one instruction sm_80
#pragma once
#include <heddle/core/features.cuh>
#include <heddle/core/operators.cuh>
#include <heddle/group/members.cuh>
#include <heddle/group/team_reduce.cuh>
#include <heddle/group/tile_team.cuh>
#include <heddle/group/tree.cuh>
#include <heddle/warp/reduce.cuh>

namespace heddle::group {

namespace detail {

// Integers of up to 32 bits, in the type that the reduction instruction takes. What a sum loses
// beyond the size of T is lost either way.
template <typename T>
inline constexpr bool fits_word = std::is_integral_v<T> && sizeof(T) <= 4 &&
                                  !std::is_same_v<T, bool>;
template <typename T>
using word = std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>;

// A part shares its instructions with other groups, but the reduction instruction serves only one.
template <typename Group, typename T, typename Op>
inline constexpr bool has_instruction =
    has_feature<feature::warp_reduction> && !std::is_same_v<Group, part> && fits_word<T> &&
    warp::detail::has_instruction<warp_size, word<T>, Op>;

}  // namespace detail

// Combines the values of a group within a warp, in rank order.
//   called by   every member
//   result in   every member, bit for bit the same
//   op          associative; need not commute
//   T           the type in which values are combined: to add bytes as int, pass int
//   order       a tree that depends only on the lanes, the same on every run. Sums and products of
//               half and bfloat16 are accumulated in float and rounded once
//   cost        tiles, and whole warps of every kind: as warp::reduce(). Others, in shuffles for
//               every four bytes: up to 8 consecutive lanes take four and up to 31 take six, each
//               with two other instructions; up to four lanes anywhere take one per lane; all other
//               lanes, and parts, take six, each with eight other instructions. Integers of up to
//               32 bits with plus, minimum, maximum, bit_and, bit_or and bit_xor take one
//               instruction, except in a part
template <in_one_warp Group, exchangeable T, combines<T> Op = plus>
[[nodiscard]] __device__ T reduce(const Group& group, T value, Op op = {}) {
  using carried = detail::carried<T, Op>;
  if constexpr (warp_tile<Group>) {
    return static_cast<T>(
        warp::reduce<tile_size<Group>>(static_cast<carried>(value), op, lanes_of(group).mask));
  } else if constexpr (detail::has_instruction<Group, T, Op>) {
    using word = detail::word<T>;
    return static_cast<T>(warp::detail::reduce_by_instruction<word, Op>(lanes_of(group).mask,
                                                                        static_cast<word>(value)));
  } else {
    return static_cast<T>(detail::reduce_lanes(lanes_of(group), static_cast<carried>(value), op));
  }
}

// reduce() with the result in the first member only; others get unspecified values.
//   called by   every member
//   result in   the member of rank 0
//   op          associative; need not commute
//   cost        tiles: as warp::reduce_to_first(). Others: that of reduce()
template <in_one_warp Group, exchangeable T, combines<T> Op = plus>
[[nodiscard]] __device__ T reduce_to_first(const Group& group, T value, Op op = {}) {
  using carried = detail::carried<T, Op>;
  if constexpr (warp_tile<Group>) {
    return static_cast<T>(warp::reduce_to_first<tile_size<Group>>(static_cast<carried>(value), op,
                                                                  lanes_of(group).mask));
  } else {
    return group::reduce(group, value, op);
  }
}

// Combines the values of a block, or of a tile of several warps, in rank order.
//   called by   every thread of the group
//   result in   every thread, bit for bit the same
//   op          associative; need not commute
//   scratch     in shared memory, one for each group that calls; may be reused immediately
//   cost        that of block::reduce() in a block of the same size, with the same kind of scratch
template <of_several_warps Group, exchangeable T, int threads, combines<T> Op>
[[nodiscard]] __device__ T reduce(const Group& group, T value, Op op,
                                  scratch<T, threads>& scratch) {
  const auto mine = static_cast<carried<T, Op>>(value);
  return static_cast<T>(detail::reduce_team(detail::team_of(group, scratch), mine, op, scratch));
}

}  // namespace heddle::group
