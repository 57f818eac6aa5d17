// The one way in which lanes of a warp meet.
#pragma once
#include <cstdint>

#include "machine/block_state.hpp"
#include "meeting/warp_meeting.hpp"

namespace heddle_host {

// All non-exited lanes of the mask have arrived: ends the round.
void complete(warp_state& warp, warp_meeting& meeting);

// To be called when a lane has exited: meetings that waited for it alone are complete.
void complete_meetings_without_exited(warp_state& warp);

// Waits for all non-exited lanes of `mask` to be in the same operation with the same mask. What
// they brought may be read until the caller's next meeting.
const warp_meeting::round& meet_in_general(warp_operation operation, std::uint32_t mask,
                                           std::uint64_t value, const void* where);

// The same. Inline is what most lanes do most of the time: they are not the last to arrive, and
// another lane of the warp is ready to go on.
[[gnu::always_inline]] inline const warp_meeting::round& meet(warp_operation operation,
                                                              std::uint32_t mask,
                                                              std::uint64_t value,
                                                              const void* where) {
  warp_state* const warp = lane_now.warp;
  if (__builtin_expect(warp != nullptr && warp->ready != 0, 1)) {
    warp_meeting& meeting = warp->meetings.recent();
    const unsigned lane = lane_now.thread % lanes_per_warp;
    const std::uint32_t me = 1u << lane;
    const std::uint32_t arrived = meeting.arrived | me;
    const bool must_wait = (mask & ~(arrived | warp->exited)) != 0;
    if (__builtin_expect(
            meeting.mask == mask && meeting.operation == operation && (mask & me) != 0 && must_wait,
            1)) {
      warp_meeting::round& round = *meeting.gathering;
      round.values[lane] = value;
      meeting.arrived = arrived;
      lane_record& mine = warp->lanes[lane];
      mine.where = where;
      switch_context(mine.stopped_at, take_ready(*warp));
      return round;
    }
  }
  return meet_in_general(operation, mask, value, where);
}

}  // namespace heddle_host
