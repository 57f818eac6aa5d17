// Stand-in for <cooperative_groups.h>: groups of threads that work together.
#pragma once
#define _COOPERATIVE_GROUPS_H_  // programs test for it
#include <cooperative_groups/detail/cluster_group.h>
#include <cooperative_groups/detail/coalesced_group.h>
#include <cooperative_groups/detail/grid_group.h>
#include <cooperative_groups/detail/invoke.h>
#include <cooperative_groups/detail/partition.h>
#include <cooperative_groups/detail/thread_block.h>
#include <cooperative_groups/detail/thread_block_tile.h>
#include <cooperative_groups/detail/thread_group.h>

namespace cooperative_groups {

inline unsigned long long thread_group::num_threads() const {
  switch (kind) {
    case detail::group_kind::coalesced:
      return detail::count(members.mask);
    case detail::group_kind::block:
      return thread_block::size();
    case detail::group_kind::grid:
      return grid_group::size();
    case detail::group_kind::cluster:
      return cluster_group::size();
  }
  return 0;
}

inline unsigned long long thread_group::thread_rank() const {
  switch (kind) {
    case detail::group_kind::coalesced:
      return detail::count(members.mask & detail::lanes_below());
    case detail::group_kind::block:
      return thread_block::thread_rank();
    case detail::group_kind::grid:
      return grid_group::thread_rank();
    case detail::group_kind::cluster:
      return cluster_group::thread_rank();
  }
  return 0;
}

inline void thread_group::sync() const {
  switch (kind) {
    case detail::group_kind::coalesced:
      __syncwarp(members.mask);
      break;
    case detail::group_kind::block:
      thread_block::sync();
      break;
    case detail::group_kind::grid:
      ::heddle_host::grid_barrier();
      break;
    case detail::group_kind::cluster:
      cluster_group::sync();
      break;
  }
}

// The same queries as free functions.
template <typename Group>
inline void sync(const Group& group) {
  group.sync();
}
template <typename Group>
inline auto thread_rank(const Group& group) -> decltype(group.thread_rank()) {
  return group.thread_rank();
}
template <typename Group>
inline auto group_size(const Group& group) -> decltype(group.num_threads()) {
  return group.num_threads();
}

// CUDA 13 removed groups that span several devices.
#define HEDDLE_NO_MULTI_GRID \
  "multi_grid_group was removed in CUDA 13: launch a grid on each device and let the host wait"
class __attribute__((unavailable(HEDDLE_NO_MULTI_GRID))) multi_grid_group {};
__attribute__((unavailable(HEDDLE_NO_MULTI_GRID))) multi_grid_group this_multi_grid();
#undef HEDDLE_NO_MULTI_GRID

}  // namespace cooperative_groups
