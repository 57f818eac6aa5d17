// Shuffles whose lanes pass different widths, sources and distances in one call.
#include "shuffle.cuh"

using namespace conformance;

__global__ void reverse_and_rotate(unsigned* results) {
  const unsigned mine = mix(rank_in_grid());
  const unsigned lane = lane_id();
  const unsigned reversed = __shfl_sync(full_mask, mine, 31 - lane);
  const unsigned rotated = __shfl_sync(full_mask, mine, lane + 1 + blockIdx.x);
  results[rank_in_grid()] = reversed * 3 + rotated;
}

CASE(source_differs_from_lane_to_lane) {
  const buffer<unsigned> results(2 * 64);
  reverse_and_rotate<<<2, 64>>>(results);
  show("results", results);
}

__global__ void gather_by_random_source(unsigned* results) {
  const unsigned mine = mix(rank_in_grid());
  unsigned sum = 0;
  for (unsigned round = 0; round < 50; ++round)
    sum = sum * 31 + __shfl_sync(full_mask, mine + round, mix(rank_in_grid() * 64 + round));
  results[rank_in_grid()] = sum;
}

CASE(source_is_random_in_each_lane) {
  const buffer<unsigned> results(4 * 96);
  gather_by_random_source<<<4, 96>>>(results);
  show("results", results);
}

template <mode Mode>
__global__ void widths_by_lane(int* results) {
  // lanes 0-7 use width 4, 8-15 width 8, 16-31 width 16
  const int lane = lane_id();
  const int width = lane < 8 ? 4 : lane < 16 ? 8 : 16;
  for (int operand = 0; operand < 20; ++operand)
    results[operand * 32 + lane] =
        shuffle<Mode, int>(full_mask, 1000 * operand + lane, operand, width);
}

CASE(width_differs_from_lane_to_lane) {
  const buffer<int> results(20 * 32);
  widths_by_lane<mode::index><<<1, 32>>>(results);
  show("index", results);
  widths_by_lane<mode::up><<<1, 32>>>(results);
  show("up", results);
  widths_by_lane<mode::down><<<1, 32>>>(results);
  show("down", results);
  widths_by_lane<mode::exclusive><<<1, 32>>>(results);
  show("xor", results);
}

template <mode Mode>
__global__ void operands_by_lane(int* results) {
  const int lane = lane_id();
  results[lane] = shuffle<Mode, int>(full_mask, 500 + lane, lane * 7 % 32, 32);
  results[32 + lane] = shuffle<Mode, int>(full_mask, 900 + lane, lane * 5 % 13, 8);
}

CASE(distance_differs_from_lane_to_lane) {
  const buffer<int> results(64);
  operands_by_lane<mode::up><<<1, 32>>>(results);
  show("up", results);
  operands_by_lane<mode::down><<<1, 32>>>(results);
  show("down", results);
  operands_by_lane<mode::exclusive><<<1, 32>>>(results);
  show("xor", results);
}

__global__ void pointer_chase(unsigned* results) {
  // each lane follows a permutation of which every lane holds one element
  const unsigned next = (lane_id() * 5 + 3 + 2 * blockIdx.x) % 32;
  unsigned at = lane_id();
  for (int step = 0; step < 37; ++step) at = __shfl_sync(full_mask, next, at);
  results[rank_in_grid()] = at;
}

CASE(source_depends_on_the_last_shuffle) {
  const buffer<unsigned> results(2 * 32);
  pointer_chase<<<2, 32>>>(results);
  show("ends", results);
}

__global__ void discarded_reads(int* results) {
  // lanes read undefined values from outside the mask and discard them
  const unsigned mask = 0x00ff00f0u;
  const int lane = lane_id();
  if (names(mask, lane)) {
    const int got = __shfl_down_sync(mask, lane + 40, 3);
    results[lane] = names(mask, lane + 3 > 31 ? lane : lane + 3) ? got : -1;
  }
}

CASE(undefined_value_is_discarded) {
  const buffer<int> results(32);
  discarded_reads<<<1, 32>>>(results);
  show("results", results);
}
