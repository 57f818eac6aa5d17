// labeled_partition and binary_partition of tiles: the labels determine the members of the groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "conformance.hpp"
#include "values.cuh"

using namespace conformance;
namespace cg = cooperative_groups;

template <typename Group>
__device__ void describe(const Group& group, unsigned mine, unsigned* row) {
  row[0] = group.thread_rank();
  row[1] = group.size();
  row[2] = group.ballot(mine % 2);
  row[3] = group.shfl(mine, group.size() - 1 - group.thread_rank());
  row[4] = group.thread_rank() > 0 ? group.shfl_up(mine, 1) : (group.shfl_up(mine, 1), 0u);
  row[5] = cg::reduce(group, mine % 1000, cg::plus<unsigned>());
  row[6] = group.match_any(mine % 3);
  row[7] = (group.any(mine % 8 == 0) != 0) + (group.all(mine % 8 != 0) != 0) * 2;
}

template <int Size>
__global__ void binary(unsigned* results) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const unsigned mine = mix(rank_in_grid());
  const cg::coalesced_group part = cg::binary_partition(tile, mine % 3 == 0);
  describe(part, mine, results + rank_in_grid() * 8);
}

template <int Size>
void show_binary() {
  const buffer<unsigned> results(2 * 64 * 8);
  binary<Size><<<2, 64>>>(results);
  show(std::to_string(Size).c_str(), results);
}

CASE(binary_partition_of_tiles) {
  show_binary<4>();
  show_binary<8>();
  show_binary<16>();
  show_binary<32>();
}

template <int Size>
__global__ void labelled(unsigned labels, unsigned* results) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const unsigned mine = mix(rank_in_grid());
  const cg::coalesced_group part = cg::labeled_partition(tile, mine % labels);
  describe(part, mine, results + rank_in_grid() * 8);
}

template <int Size>
void show_labelled(unsigned labels) {
  const buffer<unsigned> results(2 * 64 * 8);
  labelled<Size><<<2, 64>>>(labels, results);
  show((std::to_string(Size) + " lanes, labels " + std::to_string(labels)).c_str(), results);
}

CASE(labelled_partition_of_tiles) {
  for (const unsigned labels : {1u, 2u, 5u, 50u}) {
    show_labelled<8>(labels);
    show_labelled<16>(labels);
    show_labelled<32>(labels);
  }
}

__global__ void parts_work_apart(unsigned* results) {
  // each part runs as many rounds as it has members
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  unsigned value = mix(rank_in_grid());
  const cg::coalesced_group part = cg::labeled_partition(warp, value % 6);
  for (unsigned round = 0; round < part.size(); ++round) {
    value = value * 5 + part.shfl(value, round);
    part.sync();
  }
  results[rank_in_grid()] = value;
}

CASE(parts_loop_apart) {
  const buffer<unsigned> results(2 * 96);
  parts_work_apart<<<2, 96>>>(results);
  show("results", results);
}

__global__ void partition_of_partition(unsigned* results) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const unsigned mine = mix(rank_in_grid());
  const cg::coalesced_group first = cg::binary_partition(warp, mine % 2);
  const cg::coalesced_group second = cg::labeled_partition(first, mine / 2 % 3);
  describe(second, mine, results + rank_in_grid() * 8);
}

CASE(partition_of_a_partition) {
  const buffer<unsigned> results(2 * 64 * 8);
  partition_of_partition<<<2, 64>>>(results);
  show("results", results);
}

__global__ void signed_labels(int* results) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int label = static_cast<int>(mix(rank_in_grid()) % 5) - 2;
  const cg::coalesced_group part = cg::labeled_partition(warp, label);
  results[rank_in_grid() * 2] = cg::reduce(part, label, cg::plus<int>());
  results[rank_in_grid() * 2 + 1] = cg::reduce(part, static_cast<int>(lane_id()), cg::less<int>());
}

CASE(negative_labels) {
  const buffer<int> results(2 * 2 * 32);
  signed_labels<<<2, 32>>>(results);
  show("results", results);
}
