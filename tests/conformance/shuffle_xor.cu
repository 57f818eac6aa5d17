// __shfl_xor_sync with every width, lane mask and mask shape.
// A lane keeps its own value if the source is in a later section.
#include "shuffle.cuh"

using namespace conformance;

CASE(shuffle_xor_full_mask) { show_shuffles<mode::exclusive, unsigned>(0xffffffffu); }

CASE(shuffle_xor_half_mask) { show_shuffles<mode::exclusive, unsigned>(0x0000ffffu); }

CASE(shuffle_xor_odd_lanes) { show_shuffles<mode::exclusive, unsigned>(0xaaaaaaaau); }

CASE(shuffle_xor_one_lane) { show_shuffles<mode::exclusive, unsigned>(0x00000400u); }

CASE(shuffle_xor_thirteen_lanes) { show_shuffles<mode::exclusive, unsigned>(0x62949253u); }

CASE(shuffle_xor_three_lanes) { show_shuffles<mode::exclusive, unsigned>(0x80000021u); }

// A lane can read from an earlier section; if the source is in a later one, it keeps its own value.
CASE(shuffle_xor_across_sections) {
  for (const int width : {1, 2, 4, 8, 16, 32})
    for (const int bits : {1, 2, 5, 8, 17, 31}) show_sources<mode::exclusive>(bits, width);
}

CASE(shuffle_xor_large_lane_masks) {
  for (const int width : {8, 32})
    for (const int bits : {32, 33, 63, -1}) show_sources<mode::exclusive>(bits, width);
}

__global__ void butterfly_minimum(int* results) {
  int least = static_cast<int>(mix(rank_in_grid()));
  for (int bit = 1; bit < 32; bit *= 2) least = min(least, __shfl_xor_sync(full_mask, least, bit));
  results[rank_in_grid()] = least;
}

CASE(shuffle_xor_butterfly) {
  const buffer<int> results(4 * 64);
  butterfly_minimum<<<4, 64>>>(results);
  show("minimum", results);
}
