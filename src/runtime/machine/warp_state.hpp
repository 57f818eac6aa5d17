// A warp while its block runs: its lanes, where they wait, and which of them are ready.
#pragma once
#include <array>
#include <bit>
#include <cstdint>

#include <heddle_host/finding.hpp>
#include <heddle_host/lane.hpp>

#include "machine/meeting/warp_meeting.hpp"
#include "machine/published.hpp"

namespace heddle_host {

inline constexpr unsigned lanes_per_warp = 32;
inline constexpr unsigned max_threads_per_block = 1024;
inline constexpr unsigned max_warps_per_block = max_threads_per_block / lanes_per_warp;

// A set of threads of a block: one mask of lanes for each warp.
using lanes_of_warps = std::array<std::uint32_t, max_warps_per_block>;

// The state of a suspended lane.
struct lane_record {
  context stopped_at = nullptr;
  const void* where = nullptr;  // its call's return address, if it was not suspended there
  uint3 index{};                // its threadIdx
  unsigned thread = 0;          // its linear index

  const void* code() const { return where ? where : stopped_at->code; }
};

// Which lane's value a lane gets from the shuffle it waits in.
struct shuffle_source {
  unsigned lane;
  const void* where;
};

struct warp_state {
  std::uint32_t exited = 0;     // lanes that have exited or never existed
  std::uint32_t at_end = 0;     // lanes at the end of the kernel, in a checked run
  std::uint32_t ready = 0;      // suspended and ready to run
  std::uint32_t offered = 0;    // the same, if a schedule decides which one runs
  std::uint32_t yielded = 0;    // ready, but let all others go first
  std::uint32_t preempted = 0;  // of those: yielded involuntarily, and might not have waited
  std::uint32_t gathering = 0;  // have asked which lanes are active
  unsigned number = 0;          // in the block
  warp_meetings meetings;
  std::array<lane_record, lanes_per_warp> lanes;
  std::array<activity, lanes_per_warp> doing{};  // of lanes that wait, except in warp operations
  std::array<std::uint32_t, lanes_per_warp> active_lanes;  // the results for those that asked
  std::array<shuffle_source, lanes_per_warp> sources;      // in a checked run
};

// Makes a ready lane the current one; the caller still has to switch to its resume point.
[[gnu::always_inline]] inline context& take_ready(warp_state& warp) {
  const auto lane = static_cast<unsigned>(std::countr_zero(warp.ready));
  warp.ready &= warp.ready - 1;
  lane_record& next = warp.lanes[lane];
  publish(lane_now.thread, next.thread);
  threadIdx = next.index;
  return next.stopped_at;
}

}  // namespace heddle_host
