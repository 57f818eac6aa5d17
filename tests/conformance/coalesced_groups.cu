// coalesced_threads: what holds no matter which lanes are converged.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <algorithm>

#include "conformance.hpp"
#include "values.cuh"

using namespace conformance;
namespace cg = cooperative_groups;

__global__ void aggregated_increment(unsigned* counter, unsigned* places) {
  if (mix(rank_in_grid()) % 3 == 0) {
    const cg::coalesced_group group = cg::coalesced_threads();
    unsigned first = 0;
    if (group.thread_rank() == 0) first = atomicAdd(counter, group.size());
    places[rank_in_grid()] = group.shfl(first, 0) + group.thread_rank();
  }
}

CASE(aggregated_increments_give_every_place_once) {
  const buffer<unsigned> counter(1, 0), places(8 * 128);
  aggregated_increment<<<8, 128>>>(counter, places);
  show("count", counter);
  std::vector<unsigned> sorted = places.read();
  std::sort(sorted.begin(), sorted.end());
  show("places", sorted);
}

__global__ void group_sums(unsigned* totals) {
  const unsigned mine = mix(rank_in_grid());
  if (mine % 5 < 3) {
    const cg::coalesced_group group = cg::coalesced_threads();
    const unsigned sum = cg::reduce(group, mine % 1000, cg::plus<unsigned>());
    if (group.thread_rank() == 0) {
      atomicAdd(&totals[blockIdx.x * 2], sum);
      atomicAdd(&totals[blockIdx.x * 2 + 1], group.size());
    }
  }
}

CASE(sums_of_group_sums) {
  const buffer<unsigned> totals(6 * 2, 0);
  group_sums<<<6, 96>>>(totals);
  show("totals", totals);
}

__global__ void group_order(unsigned* broken) {
  // ranks are in lane order: a rank is the number of members in lower lanes
  const unsigned mine = mix(rank_in_grid());
  if (mine % 2) {
    const cg::coalesced_group group = cg::coalesced_threads();
    const unsigned lane = lane_id();
    const unsigned before = group.shfl_up(lane, 1);
    const unsigned after = group.shfl_down(lane, 1);
    const unsigned rank = group.thread_rank();
    if (rank >= group.size()) atomicAdd(&broken[0], 1);
    if (rank > 0 && before >= lane) atomicAdd(&broken[1], 1);
    if (rank + 1 < group.size() && after <= lane) atomicAdd(&broken[2], 1);
    if (__popc(group.ballot(1)) != static_cast<int>(group.size())) atomicAdd(&broken[3], 1);
    if (!group.all(mine % 2) || group.any(mine % 2 == 0)) atomicAdd(&broken[4], 1);
    if (group.shfl(rank, group.size() - 1) != group.size() - 1) atomicAdd(&broken[5], 1);
    if (group.num_threads() != group.size()) atomicAdd(&broken[6], 1);
    if (group.meta_group_size() != 1 || group.meta_group_rank() != 0) atomicAdd(&broken[7], 1);
  }
}

CASE(group_ranks_follow_the_lanes) {
  const buffer<unsigned> broken(8, 0);
  group_order<<<4, 128>>>(broken);
  show("broken rules", broken);
}

__global__ void active_masks(unsigned* broken) {
  const unsigned mine = mix(rank_in_grid());
  if (mine % 3) {
    const unsigned together = __activemask();
    if (!names(together, lane_id())) atomicAdd(&broken[0], 1);
  }
}

CASE(active_mask_names_its_caller) {
  const buffer<unsigned> broken(1, 0);
  active_masks<<<4, 128>>>(broken);
  show("broken rules", broken);
}

__global__ void only_one_left(unsigned* results) {
  // only one lane of each warp stays, so its group can have only one member
  if (lane_id() != (warp_id() * 7 + blockIdx.x) % 32) return;
  const cg::coalesced_group group = cg::coalesced_threads();
  unsigned* const row = results + (rank_in_grid() / 32) * 5;
  row[0] = group.size();
  row[1] = group.thread_rank();
  row[2] = group.ballot(1);
  row[3] = group.shfl(mix(rank_in_grid()), 0);
  row[4] = __activemask() == 1u << lane_id();
}

CASE(group_of_the_only_lane_left) {
  const buffer<unsigned> results(2 * 3 * 5);
  only_one_left<<<2, 96>>>(results);
  show("results", results);
}

__global__ void groups_split_further(unsigned* totals) {
  const unsigned mine = mix(rank_in_grid());
  const cg::coalesced_group group = cg::coalesced_threads();
  const cg::coalesced_group part = cg::labeled_partition(group, mine % 4);
  const unsigned sum = cg::reduce(part, mine % 100, cg::plus<unsigned>());
  const unsigned least = cg::reduce(part, mine % 4, cg::less<unsigned>());
  if (part.thread_rank() == 0) atomicAdd(&totals[blockIdx.x * 4 + least], sum);
}

CASE(labelled_parts_of_coalesced_groups) {
  const buffer<unsigned> totals(4 * 4, 0);
  groups_split_further<<<4, 128>>>(totals);
  show("totals", totals);
}

__global__ void tiled_coalesced(unsigned* totals) {
  const unsigned mine = mix(rank_in_grid()) % 1000;
  if (mine % 7 != 0) {
    const cg::coalesced_group group = cg::coalesced_threads();
    const cg::coalesced_group part = cg::tiled_partition(group, 4);
    unsigned sum = 0;
    for (unsigned member = 0; member < part.size(); ++member) sum += part.shfl(mine, member);
    if (part.thread_rank() == 0) atomicAdd(&totals[blockIdx.x], sum);
    if (part.size() > 4) atomicAdd(&totals[gridDim.x], 1);
  }
}

CASE(tiles_of_coalesced_groups) {
  const buffer<unsigned> totals(5, 0);
  tiled_coalesced<<<4, 96>>>(totals);
  show("totals", totals);
}
