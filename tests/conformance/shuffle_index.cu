// __shfl_sync with every width, source and mask shape; the index is taken modulo the width.
#include "shuffle.cuh"

using namespace conformance;

CASE(shuffle_index_full_mask) { show_shuffles<mode::index, unsigned>(0xffffffffu); }

CASE(shuffle_index_half_mask) { show_shuffles<mode::index, unsigned>(0x0000ffffu); }

CASE(shuffle_index_odd_lanes) { show_shuffles<mode::index, unsigned>(0xaaaaaaaau); }

CASE(shuffle_index_one_lane) { show_shuffles<mode::index, unsigned>(0x00000400u); }

CASE(shuffle_index_thirteen_lanes) { show_shuffles<mode::index, unsigned>(0x62949253u); }

CASE(shuffle_index_three_lanes) { show_shuffles<mode::index, unsigned>(0x80000021u); }

// The source is the start of the section plus the index modulo the width.
CASE(shuffle_index_beyond_the_width) {
  for (const int width : {1, 2, 4, 8, 16, 32})
    for (const int source : {0, 3, 9, 31, 32, 45}) show_sources<mode::index>(source, width);
}

CASE(shuffle_index_negative_source) {
  for (const int width : {4, 8, 32})
    for (const int source : {-1, -2, -5, -33}) show_sources<mode::index>(source, width);
}

__global__ void broadcast_from_each_warp(unsigned* results) {
  const unsigned mine = mix(rank_in_grid());
  results[rank_in_grid()] = __shfl_sync(full_mask, mine, (warp_id() * 5 + blockIdx.x) % 32);
}

CASE(shuffle_index_broadcast_by_warp) {
  const buffer<unsigned> results(3 * 128);
  broadcast_from_each_warp<<<3, 128>>>(results);
  show("broadcast", results);
}
