// __any_sync, __all_sync, __ballot_sync and __uni_sync with full and partial masks.
#include "conformance.hpp"
#include "values.cuh"

using namespace conformance;

__device__ unsigned votes_of(unsigned mask, int predicate) {
  unsigned packed = __any_sync(mask, predicate) != 0;
  packed |= (__all_sync(mask, predicate) != 0) << 1;
  packed |= (__uni_sync(mask, predicate) != 0) << 2;
  return packed;
}

__global__ void random_votes(unsigned* results, unsigned* ballots) {
  for (unsigned round = 0; round < 8; ++round) {
    const int predicate = mix(rank_in_grid() * 8 + round) % 32 < round * 5;
    const unsigned at = round * gridDim.x * blockDim.x + rank_in_grid();
    results[at] = votes_of(full_mask, predicate);
    ballots[at] = __ballot_sync(full_mask, predicate);
  }
}

CASE(votes_of_full_warps) {
  const buffer<unsigned> results(8 * 4 * 96), ballots(8 * 4 * 96);
  random_votes<<<4, 96>>>(results, ballots);
  show("any, all, uni", results);
  show("ballots", ballots);
}

__global__ void masked_votes(unsigned mask, unsigned* results, unsigned* ballots) {
  if (!names(mask, lane_id())) return;
  for (unsigned round = 0; round < 6; ++round) {
    const int predicate = mix(rank_in_grid() * 8 + round) % 8 <= round;
    const unsigned at = round * gridDim.x * blockDim.x + rank_in_grid();
    results[at] = votes_of(mask, predicate);
    ballots[at] = __ballot_sync(mask, predicate);
  }
}

CASE(votes_under_every_mask_shape) {
  for (const unsigned mask : MASK_SHAPES) {
    const buffer<unsigned> results(6 * 2 * 64), ballots(6 * 2 * 64);
    masked_votes<<<2, 64>>>(mask, results, ballots);
    show("any, all, uni", results);
    show("ballots", ballots);
  }
}

__global__ void predicates_of_any_size(unsigned* results) {
  // any nonzero value is true, even if its low bits are zero
  const int predicate = lane_id() % 5 == 0   ? 0
                        : lane_id() % 5 == 1 ? 256
                        : lane_id() % 5 == 2 ? -1
                        : lane_id() % 5 == 3 ? static_cast<int>(0x80000000u)
                                             : 2;
  results[lane_id()] = __ballot_sync(full_mask, predicate);
  results[32 + lane_id()] = votes_of(full_mask, predicate);
}

CASE(any_nonzero_predicate_is_true) {
  const buffer<unsigned> results(64);
  predicates_of_any_size<<<1, 32>>>(results);
  show("results", results);
}

__global__ void two_halves_vote(unsigned* results) {
  const unsigned low = 0x0000ffffu;
  const unsigned mask = lane_id() < 16 ? low : ~low;
  const int predicate = mix(rank_in_grid()) % 16 < 15;
  results[rank_in_grid()] = __ballot_sync(mask, predicate) + votes_of(mask, predicate);
}

CASE(halves_vote_apart) {
  const buffer<unsigned> results(2 * 64);
  two_halves_vote<<<2, 64>>>(results);
  show("results", results);
}

__global__ void unanimous(unsigned* results) {
  // warp 0: all true; warp 1: all false; warp 2: one lane is false; warp 3: one lane is true
  const bool lone = lane_id() == 3 + 5 * blockIdx.x;
  const int predicate = warp_id() == 0 ? 1 : warp_id() == 1 ? 0 : warp_id() == 2 ? !lone : lone;
  const unsigned votes = votes_of(full_mask, predicate);
  const unsigned ballot = __ballot_sync(full_mask, predicate);
  if (lane_id() == 31) {
    results[(blockIdx.x * 4 + warp_id()) * 2] = votes;
    results[(blockIdx.x * 4 + warp_id()) * 2 + 1] = ballot;
  }
}

CASE(unanimous_and_nearly_unanimous) {
  const buffer<unsigned> results(3 * 4 * 2);
  unanimous<<<3, 128>>>(results);
  show("results", results);
}

__global__ void compaction(unsigned* kept, unsigned* counts) {
  const unsigned mine = mix(rank_in_grid());
  const bool keep = mine % 3 == 0;
  const unsigned voters = __ballot_sync(full_mask, keep);
  const unsigned before = __popc(voters & ((1u << lane_id()) - 1));
  if (keep) kept[(rank_in_grid() / 32) * 32 + before] = mine;
  if (lane_id() == 0) counts[rank_in_grid() / 32] = __popc(voters);
}

CASE(ballot_compacts_in_lane_order) {
  const buffer<unsigned> kept(4 * 64), counts(8);
  compaction<<<4, 64>>>(kept, counts);
  show("kept", kept);
  show("counts", counts);
}
