// How the lanes of a warp meet: every warp operation goes through here.
#pragma once
#include <cstdint>

#include "machine/block_state.hpp"
#include "machine/meeting/warp_meeting.hpp"

namespace heddle_host {

// All non-exited lanes of the mask have arrived: completes the round.
void complete(warp_state& warp, warp_meeting& meeting);

// The same, if the last lane that the others waited for has exited instead.
void complete_without_exited(warp_state& warp, warp_meeting& meeting);

// A lane, given as a bit, has exited: completes the meetings that waited only for it.
inline void note_exit(warp_state& warp, std::uint32_t lane) {
  warp.exited |= lane;
  warp.meetings.for_each([&](warp_meeting& meeting) {
    if ((meeting.awaited & lane) == 0) return;
    meeting.awaited &= ~lane;
    if (meeting.awaited != 0 || meeting.arrived(warp.exited) == 0) return;
    complete_without_exited(warp, meeting);
  });
}

// Records the running lane's arrival at the meeting of all non-exited lanes of `mask` in the same
// operation. The values may be read until the caller's next meeting.
arrival<warp_meeting::round> arrive_in_general(warp_operation operation, std::uint32_t mask,
                                               std::uint64_t value, const void* where);

// The common case: a lane comes to the same meeting as its warp's last one, and is not the last to
// arrive.
[[gnu::always_inline]] inline bool comes_as_usual(warp_operation operation, std::uint32_t mask) {
  if (lane_now.warp == nullptr) return false;
  const warp_meeting& meeting = lane_now.warp->meetings.recent();
  const std::uint32_t me = 1u << lane_now.thread % lanes_per_warp;
  return meeting.mask == mask && meeting.operation == operation && (meeting.awaited & me) != 0 &&
         meeting.awaited != me;
}

// Records the arrival of such a lane. `select` picks what it will read of the round.
template <typename Select>
[[gnu::always_inline]] inline auto arrive_as_usual(std::uint64_t value, Select select) {
  warp_state& warp = *lane_now.warp;
  warp_meeting& meeting = warp.meetings.recent();
  const unsigned lane = lane_now.thread % lanes_per_warp;
  warp_meeting::round& round = *meeting.gathering;
  round.values[lane] = value;
  meeting.awaited &= ~(1u << lane);
  return stop_for(warp, warp.lanes[lane], select(round, lane));
}

}  // namespace heddle_host
