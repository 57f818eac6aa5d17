// Stream compaction in a tile: moves the values that are kept together, in order.
//   strategy    a vote gives each kept value its rank; one shuffle moves it there, from a source
//               that each lane finds by one more vote per binary digit
//   needs       sm_75
#pragma once
#include <heddle/core/lane.cuh>
#include <heddle/core/mask.cuh>
#include <heddle/core/shuffle.cuh>
#include <heddle/warp/vote.cuh>

namespace heddle::warp {

// Where a lane's value goes.
struct kept_place {
  int rank;   // how many lanes of the tile before the caller keep their value
  int total;  // how many lanes of the tile keep their value
};

// A lane's value after compaction.
template <typename T>
struct compacted {
  T value;
  int total;  // the first `total` lanes of the tile hold the kept values
};

// Counts the lanes that keep their value: all of them, and those before the caller, so that
// `if (keep) output[start + place.rank] = value` writes them without gaps, in lane order.
//   called by   every lane of `members`: any set of lanes; lanes in the same tile of `width` lanes
//               are counted together
//   result in   every caller; `rank` is valid even if the caller keeps nothing
//   cost        one vote, two population counts
template <int width = warp_size>
[[nodiscard]] __device__ inline kept_place rank_kept(bool keep, lane_mask members = all_lanes) {
  const lane_mask kept = ballot<width>(keep, members);
  return {rank(kept), count(kept)};
}

// Moves the kept values of each aligned tile of `width` lanes to its first lanes, in lane order.
//   called by   every lane of `members`, which holds whole tiles
//   result in   the first `total` lanes of the tile; the others get their own value back
//   cost        one shuffle for every four bytes, 1 + log2(width) votes, two population counts and
//               about 3 * log2(width) instructions
template <int width = warp_size, exchangeable T>
[[nodiscard]] __device__ compacted<T> compact(T value, bool keep, lane_mask members = all_lanes) {
  HEDDLE_EXPECTS_TILE(width, members, "warp::compact");
  const int lane = lane_id();
  const lane_mask kept = ballot<width>(keep, members);
  const int my_rank = rank(kept);
  // Lane i looks for the kept lane of rank i. Each vote gives one binary digit of every lane's
  // rank; only the candidates with the same digit as the caller's lane number remain.
  lane_mask candidates = kept;
#pragma unroll
  for (int digit = 1; digit < width; digit *= 2) {
    const lane_mask has_digit = __ballot_sync(members, (my_rank & digit) != 0);
    candidates &= (lane & digit) != 0 ? has_digit : ~has_digit;
  }
  const int source = candidates == 0 ? lane : first_lane(candidates);
  return {shuffle(members, value, source), count(kept)};
}

}  // namespace heddle::warp
