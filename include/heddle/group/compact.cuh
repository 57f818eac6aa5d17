// Stream compaction in a group: moves the values that members keep together, in order.
//   strategy    a vote gives each kept value its rank; one shuffle moves it there
//   needs       sm_75
#pragma once
#include <heddle/core/mask.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/group/vote.cuh>
#include <heddle/warp/compact.cuh>

namespace heddle::group {

using warp::compacted;
using warp::kept_place;

// Counts the members that keep their value: all of them, and those before the caller, so that `if
// (keep) output[start + place.rank] = value` writes them without gaps, in rank order.
//   called by   every member
//   result in   every member; `rank` is valid even if the caller keeps nothing
//   cost        one vote, two population counts
template <in_one_warp Group>
[[nodiscard]] __device__ kept_place rank_kept(const Group& group, bool keep) {
  const lane_mask kept = ballot(group, keep);
  return {heddle::rank(kept), count(kept)};
}

// Moves the kept values to the first members, in rank order.
//   called by   every member
//   result in   the members of ranks 0 … total - 1; the others get their own value back
//   cost        tiles: as warp::compact(). Others: one shuffle for every four bytes, one vote, two
//               population counts and about 30 instructions
template <in_one_warp Group, exchangeable T>
[[nodiscard]] __device__ compacted<T> compact(const Group& group, const T& value, bool keep) {
  const auto members = lanes_of(group);
  if constexpr (warp_tile<Group>) {
    return warp::compact<tile_size<Group>>(value, keep, members.mask);
  } else {
    const lane_mask kept = ballot(members, keep);
    const int rank = members.rank();
    const int total = count(kept);
    const int found = lane_of_rank(kept, rank);
    const int source = rank < total ? found : lane_id();
    return {heddle::shuffle(members.callers(), value, source), total};
  }
}

}  // namespace heddle::group
