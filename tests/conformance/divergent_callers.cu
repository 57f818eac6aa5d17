// Lanes of one mask synchronise from different call sites; disjoint masks are independent.
#include "conformance.hpp"
#include "values.cuh"

using namespace conformance;

__global__ void two_call_sites(unsigned* results) {
  const unsigned mine = mix(rank_in_grid());
  unsigned got;
  if (lane_id() % 3 == blockIdx.x) {
    got = __shfl_xor_sync(full_mask, mine, 1) + 1;
  } else {
    got = __shfl_xor_sync(full_mask, mine ^ 5, 1) * 2;
  }
  results[rank_in_grid()] = got;
}

CASE(both_branches_shuffle_with_the_full_mask) {
  const buffer<unsigned> results(2 * 64);
  two_call_sites<<<2, 64>>>(results);
  show("results", results);
}

__global__ void four_call_sites(unsigned* results) {
  const unsigned mine = mix(rank_in_grid());
  unsigned voters = 0;
  switch (mine % 4) {
    case 0:
      voters = __ballot_sync(full_mask, lane_id() % 2);
      break;
    case 1:
      voters = __ballot_sync(full_mask, lane_id() % 3 == 0);
      break;
    case 2:
      voters = __ballot_sync(full_mask, lane_id() < 9);
      break;
    default:
      voters = __ballot_sync(full_mask, 1);
  }
  results[rank_in_grid()] = voters;
}

CASE(four_branches_vote_together) {
  const buffer<unsigned> results(3 * 64);
  four_call_sites<<<3, 64>>>(results);
  show("ballots", results);
}

__global__ void different_operands_at_sites(int* results) {
  // width 32 here, width 8 there, and different sources: still one operation
  const int lane = lane_id();
  int got;
  if (lane < 16)
    got = __shfl_sync(full_mask, lane + 100, 31 - lane);
  else
    got = __shfl_sync(full_mask, lane + 200, lane * 3, 8);
  results[lane] = got;
}

CASE(sites_with_different_width_and_source) {
  const buffer<int> results(32);
  different_operands_at_sites<<<1, 32>>>(results);
  show("results", results);
}

__global__ void quarters_do_different_things(unsigned* results) {
  const unsigned lane = lane_id();
  const unsigned mine = mix(rank_in_grid());
  const unsigned quarter = 0xffu << (lane & ~7u);
  unsigned got = 0;
  if (lane < 8)
    got = __shfl_down_sync(quarter, mine, 2, 8);
  else if (lane < 16)
    got = __ballot_sync(quarter, mine % 2);
  else if (lane < 24)
    got = __match_any_sync(quarter, mine % 3);
  else
    got = __reduce_xor_sync(quarter, mine);
  results[rank_in_grid()] = got;
}

CASE(quarters_run_different_operations) {
  const buffer<unsigned> results(2 * 64);
  quarters_do_different_things<<<2, 64>>>(results);
  show("results", results);
}

__global__ void opposite_orders(unsigned* results) {
  // the halves run the same two operations in opposite order; their masks never overlap
  const unsigned mask = lane_id() < 16 ? 0x0000ffffu : 0xffff0000u;
  const unsigned mine = mix(rank_in_grid());
  unsigned sum, voters;
  if (lane_id() < 16) {
    sum = __reduce_add_sync(mask, mine % 1000);
    voters = __ballot_sync(mask, mine % 5 < 2);
  } else {
    voters = __ballot_sync(mask, mine % 5 < 2);
    sum = __reduce_add_sync(mask, mine % 1000);
  }
  results[rank_in_grid() * 2] = sum;
  results[rank_in_grid() * 2 + 1] = voters;
}

CASE(halves_run_two_operations_in_opposite_order) {
  const buffer<unsigned> results(2 * 2 * 64);
  opposite_orders<<<2, 64>>>(results);
  show("results", results);
}

__global__ void overlapping_chain(int* results) {
  // lane k shuffles with lane k-1, then with lane k+1, so the shuffles run in order along the warp
  const int lane = lane_id();
  int carried = lane == 0 ? 7 + blockIdx.x : 0;
  if (lane > 0) {
    const unsigned mask = 3u << (lane - 1);
    carried = __shfl_sync(mask, carried, lane - 1) + lane;
  }
  if (lane < 31) {
    const unsigned mask = 3u << lane;
    __shfl_sync(mask, carried, lane);
  }
  results[blockIdx.x * 32 + lane] = carried;
}

CASE(overlapping_masks_meet_one_after_another) {
  const buffer<int> results(2 * 32);
  overlapping_chain<<<2, 32>>>(results);
  show("carried", results);
}

__global__ void loops_of_different_length(unsigned* results) {
  const unsigned mine = mix(rank_in_grid());
  unsigned value = mine;
  for (unsigned round = 0; round < mine % 50; ++round) value = mix(value);
  __syncwarp();
  const unsigned sum = __reduce_add_sync(full_mask, value);
  for (unsigned round = 0; round < lane_id(); ++round) value = mix(value + sum);
  results[rank_in_grid()] = __shfl_sync(full_mask, value, (lane_id() + 1) % 32);
}

CASE(loops_of_different_length_before_a_meeting) {
  const buffer<unsigned> results(2 * 64);
  loops_of_different_length<<<2, 64>>>(results);
  show("results", results);
}

__device__ __noinline__ unsigned vote_in_function(unsigned mask, int predicate) {
  return __ballot_sync(mask, predicate);
}

__global__ void function_from_two_sites(unsigned* results) {
  const unsigned mine = mix(rank_in_grid());
  unsigned voters;
  if (mine % 2) {
    voters = vote_in_function(full_mask, mine % 3 == 0) ^ 1;
  } else {
    if (mine % 4 == 0)
      voters = vote_in_function(full_mask, mine % 5 == 0) ^ 2;
    else
      voters = __ballot_sync(full_mask, mine % 7 == 0) ^ 4;
  }
  results[rank_in_grid()] = voters;
}

CASE(meeting_inside_and_outside_a_function) {
  const buffer<unsigned> results(2 * 64);
  function_from_two_sites<<<2, 64>>>(results);
  show("ballots", results);
}

__global__ void memory_between_lanes(unsigned* results) {
  // __syncwarp from two places orders what the lanes wrote before it
  __shared__ unsigned slots[64];
  slots[threadIdx.x] = mix(rank_in_grid());
  if (lane_id() % 2)
    __syncwarp();
  else
    __syncwarp(full_mask);
  unsigned got = slots[warp_id() * 32 + (lane_id() * 11 + 5) % 32];
  __syncwarp();
  slots[threadIdx.x] = got + lane_id();
  __syncwarp();
  got += slots[warp_id() * 32 + 31 - lane_id()];
  results[rank_in_grid()] = got;
}

CASE(syncwarp_orders_memory) {
  const buffer<unsigned> results(2 * 64);
  memory_between_lanes<<<2, 64>>>(results);
  show("results", results);
}

__global__ void groups_of_a_loop(unsigned* results) {
  // groups of 1, 1, 2, 4, 8 and 16 lanes, each of which runs as many rounds as it has lanes
  const unsigned lane = lane_id();
  const unsigned size = lane == 0 ? 1 : 1u << (31 - __clz(lane));
  const unsigned mask = lane == 0 ? 1u : ((1u << size) - 1) << size;
  unsigned value = mix(rank_in_grid()) % 100;
  for (unsigned round = 0; round < size; ++round) value += __reduce_max_sync(mask, value);
  results[rank_in_grid()] = value;
}

CASE(groups_of_different_size_loop_apart) {
  const buffer<unsigned> results(2 * 32);
  groups_of_a_loop<<<2, 32>>>(results);
  show("results", results);
}
