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

[[noreturn, gnu::cold]] void fail_mask(const void* where, unsigned mask, const char* detail);

// Waits for all non-exited lanes of `mask` to be in the same operation with the same mask. What they
// brought may be read until the caller's next meeting.
[[gnu::always_inline]] inline const warp_meeting::round& meet(warp_operation operation,
                                                              std::uint32_t mask,
                                                              std::uint64_t value,
                                                              const void* where) {
  warp_state* warp = lane_now.warp;
  if (__builtin_expect(warp == nullptr, 0)) warp = &lane_now.block->take_care();
  const unsigned thread = lane_now.thread;
  const std::uint32_t me = 1u << thread % lanes_per_warp;
  if (__builtin_expect((mask & me) == 0, 0)) {
    fail_mask(where, mask, "the calling lane is not in its own mask");
  }
  warp_meeting& meeting = warp->meetings.of(mask, warp->ready);
  if (meeting.arrived == 0) {
    meeting.operation = operation;
  } else if (__builtin_expect(meeting.operation != operation, 0)) {
    fail_mask(where, mask, "lanes of one mask wait in different operations");
  }
  warp_meeting::round& round = *meeting.gathering;
  round.values[thread % lanes_per_warp] = value;
  meeting.arrived |= me;
  if ((mask & ~(meeting.arrived | warp->exited)) == 0) {
    complete(*warp, meeting);
    lane_now.block->make_ready(*warp, round.present & ~me);
  } else {
    suspend(*warp, thread, activity::exchanging, where);
  }
  return round;
}

}  // namespace heddle_host
