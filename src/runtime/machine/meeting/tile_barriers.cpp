// Gathers the threads of a multi-warp tile, and releases them when all have arrived.
#include "machine/meeting/tile_barriers.hpp"

#include <algorithm>
#include <bit>

#include <heddle_host/barrier.hpp>
#include <heddle_host/meeting.hpp>

#include "machine/block_state.hpp"
#include "machine/listeners.hpp"
#include "machine/meeting/barrier_reports.hpp"

#define HEDDLE_CALLER __builtin_return_address(0)

namespace heddle_host {

tile_barriers::tile& tile_barriers::find_or_make(unsigned first_thread, unsigned threads,
                                                 activity doing) {
  const auto is_this = [&](const auto& one) {
    return one->first_thread == first_thread && one->threads == threads && one->doing == doing;
  };
  const auto found = std::find_if(tiles_.begin(), tiles_.end(), is_this);
  if (found != tiles_.end()) return **found;
  tiles_.push_back(std::make_unique<tile>(tile{first_thread, threads, doing}));
  for (auto& values : tiles_.back()->values) values.resize(threads);
  return *tiles_.back();
}

const std::uint64_t* tile_barriers::gather(unsigned first_thread, unsigned threads,
                                           std::uint64_t value, const void* where, activity doing) {
  warp_state& warp = block_.track_lanes();
  tile& mine = find_or_make(first_thread, threads, doing);
  const unsigned parity = mine.parity;
  const unsigned thread = lane_now.thread;
  mine.values[parity][thread - first_thread] = value;
  ++mine.arrived;
  block_.record(thread).where = where;
  release_if_complete(mine);
  if (mine.parity == parity) {
    mine.waiting[warp.number] |= 1u << thread % lanes_per_warp;
    suspend(warp, doing, where);
  }
  block_.record(thread).where = nullptr;
  return mine.values[parity].data();
}

// Reports a group that is partitioned without a thread that has reached the end of the kernel.
void tile_barriers::report_absent(const tile& gathering) const {
  const unsigned end = std::min(gathering.first_thread + gathering.threads, block_.threads());
  for (unsigned thread = gathering.first_thread; thread < end; ++thread) {
    const warp_state& warp = block_.warp(thread / lanes_per_warp);
    if ((warp.exited & warp.at_end) >> thread % lanes_per_warp & 1) {
      report_incomplete_group(block_, with_running_lane(block_, gathering.waiting), thread);
      return;
    }
  }
}

void tile_barriers::release_if_complete(tile& gathering) {
  unsigned live = 0;
  const unsigned end = std::min(gathering.first_thread + gathering.threads, block_.threads());
  for (unsigned thread = gathering.first_thread; thread < end; thread += lanes_per_warp) {
    live += static_cast<unsigned>(std::popcount(~block_.warp(thread / lanes_per_warp).exited));
  }
  if (gathering.arrived < live) return;
  // Partitioning a group does not order memory.
  const bool is_barrier = gathering.doing == activity::at_tile_barrier;
  if (block_.is_observed()) {
    if (gathering.doing == activity::making_group) report_absent(gathering);
    if (is_barrier) report_meeting(block_, with_running_lane(block_, gathering.waiting), false);
  }
  gathering.arrived = 0;
  gathering.parity ^= 1;
  block_.release(gathering.waiting);
}

void tile_barriers::release_complete() {
  for (auto& gathering : tiles_) {
    if (gathering->arrived) release_if_complete(*gathering);
  }
}

bool tile_barriers::keeps(const std::byte* address) const {
  for (const auto& gathering : tiles_) {
    for (const auto& values : gathering->values) {
      const auto* const first = reinterpret_cast<const std::byte*>(values.data());
      if (address >= first && address < first + values.size() * sizeof values[0]) return true;
    }
  }
  return false;
}

void tile_barrier(unsigned first_thread, unsigned threads) {
  machine_section guard;
  lane_now.block->tiles().gather(first_thread, threads, 0, HEDDLE_CALLER);
}

const std::uint64_t* tile_gather(unsigned first_thread, unsigned threads, std::uint64_t value) {
  machine_section guard;
  return lane_now.block->tiles().gather(first_thread, threads, value, HEDDLE_CALLER);
}

void make_part_of_block() {
  machine_section guard;
  lane_now.block->tiles().gather(0, lane_now.block->threads(), 0, HEDDLE_CALLER,
                                 activity::making_group);
}

}  // namespace heddle_host
