// __shfl_up_sync: every width, distance and mask shape; lanes at a section start keep their value.
#include "shuffle.cuh"

using namespace conformance;

CASE(shuffle_up_full_mask) { show_shuffles<mode::up, unsigned>(0xffffffffu); }

CASE(shuffle_up_half_mask) { show_shuffles<mode::up, unsigned>(0x0000ffffu); }

CASE(shuffle_up_odd_lanes) { show_shuffles<mode::up, unsigned>(0xaaaaaaaau); }

CASE(shuffle_up_one_lane) { show_shuffles<mode::up, unsigned>(0x00000400u); }

CASE(shuffle_up_thirteen_lanes) { show_shuffles<mode::up, unsigned>(0x62949253u); }

CASE(shuffle_up_three_lanes) { show_shuffles<mode::up, unsigned>(0x80000021u); }

// A lane keeps its own value if the source is before the start of its section.
CASE(shuffle_up_at_section_starts) {
  for (const int width : {1, 2, 4, 8, 16, 32})
    for (const int distance : {1, 3, 7}) show_sources<mode::up>(distance, width);
}

// The distance is taken modulo 32, for every width.
CASE(shuffle_up_large_distances) {
  for (const int width : {4, 16, 32})
    for (const int distance : {4, 15, 16, 31, 32, 33, 40, 64})
      show_sources<mode::up>(distance, width);
}

__global__ void running_sums(unsigned* results) {
  unsigned sum = mix(rank_in_grid()) % 1000;
  for (int distance = 1; distance < 32; distance *= 2) {
    const unsigned before = __shfl_up_sync(full_mask, sum, distance);
    if (lane_id() >= static_cast<unsigned>(distance)) sum += before;
  }
  results[rank_in_grid()] = sum;
}

CASE(shuffle_up_running_sums) {
  const buffer<unsigned> results(2 * 96);
  running_sums<<<2, 96>>>(results);
  show("sums", results);
}
