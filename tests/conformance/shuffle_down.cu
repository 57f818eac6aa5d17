// __shfl_down_sync: every width, distance and mask shape; lanes at a section end keep their value.
#include "shuffle.cuh"

using namespace conformance;

CASE(shuffle_down_full_mask) { show_shuffles<mode::down, unsigned>(0xffffffffu); }

CASE(shuffle_down_half_mask) { show_shuffles<mode::down, unsigned>(0x0000ffffu); }

CASE(shuffle_down_odd_lanes) { show_shuffles<mode::down, unsigned>(0xaaaaaaaau); }

CASE(shuffle_down_one_lane) { show_shuffles<mode::down, unsigned>(0x00000400u); }

CASE(shuffle_down_thirteen_lanes) { show_shuffles<mode::down, unsigned>(0x62949253u); }

CASE(shuffle_down_three_lanes) { show_shuffles<mode::down, unsigned>(0x80000021u); }

// A lane keeps its own value if the source is past the end of its section.
CASE(shuffle_down_at_section_ends) {
  for (const int width : {1, 2, 4, 8, 16, 32})
    for (const int distance : {1, 3, 7}) show_sources<mode::down>(distance, width);
}

CASE(shuffle_down_large_distances) {
  for (const int width : {4, 16, 32})
    for (const int distance : {4, 15, 16, 31, 32, 33, 40, 64})
      show_sources<mode::down>(distance, width);
}

__global__ void block_sums(unsigned* results) {
  __shared__ unsigned of_warp[8];
  unsigned sum = mix(rank_in_grid()) % 5000;
  for (int distance = 16; distance > 0; distance /= 2)
    sum += __shfl_down_sync(full_mask, sum, distance);
  if (lane_id() == 0) of_warp[warp_id()] = sum;
  __syncthreads();
  if (warp_id() == 0) {
    unsigned total = lane_id() < blockDim.x / 32 ? of_warp[lane_id()] : 0;
    for (int distance = 4; distance > 0; distance /= 2)
      total += __shfl_down_sync(full_mask, total, distance, 8);
    if (lane_id() == 0) results[blockIdx.x] = total;
  }
}

CASE(shuffle_down_block_sums) {
  const buffer<unsigned> results(40);
  block_sums<<<40, 256>>>(results);
  show("sums", results);
}
