// The one way in which lanes of a warp meet.
#pragma once
#include <cstdint>

#include "machine/block_state.hpp"
#include "meeting/warp_meeting.hpp"

namespace heddle_host {

// All non-exited lanes of the mask have arrived: ends the round.
void complete(block_state& block, unsigned warp, warp_meeting& meeting);

// To be called when a lane has exited: meetings that waited for it alone are complete.
void complete_meetings_without(block_state& block, unsigned warp, warp_state& state);

[[noreturn, gnu::cold]] void fail_mask(block_state& block, const void* where, unsigned mask,
                                       const char* detail);

// Waits for all non-exited lanes of `mask` to be in the same operation with the same mask. What they
// brought may be read until the caller's next meeting.
[[gnu::always_inline]] inline const warp_meeting::round& meet(warp_operation operation,
                                                              std::uint32_t mask,
                                                              std::uint64_t value,
                                                              const void* where) {
  block_state& block = *lane_now.block;
  if (__builtin_expect(!lane_now.block_needs_care, 0)) block.take_care();
  const unsigned warp = lane_now.thread / lanes_per_warp;
  const unsigned lane = lane_now.thread % lanes_per_warp;
  const std::uint32_t me = 1u << lane;
  warp_state& state = *lane_now.warp;
  if (__builtin_expect((mask & me) == 0, 0)) {
    fail_mask(block, where, mask, "the calling lane is not in its own mask");
  }
  warp_meeting& meeting = state.meetings.of(mask, state.ready);
  if (meeting.arrived == 0) {
    meeting.operation = operation;
  } else if (__builtin_expect(meeting.operation != operation, 0)) {
    fail_mask(block, where, mask, "lanes of one mask wait in different operations");
  }
  warp_meeting::round& round = meeting.rounds[meeting.parity];
  round.values[lane] = value;
  meeting.arrived |= me;
  if ((mask & ~(meeting.arrived | state.exited)) == 0) {
    complete(block, warp, meeting);
    block.make_ready(warp, round.present & ~me);
  } else {
    block.suspend(activity::exchanging, where, mask);
  }
  return round;
}

}  // namespace heddle_host
