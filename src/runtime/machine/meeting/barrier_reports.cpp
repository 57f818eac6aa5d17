// Describes completed barriers to the observer.
#include "machine/meeting/barrier_reports.hpp"

#include <algorithm>
#include <bit>

#include "machine/block_state.hpp"
#include "machine/listeners.hpp"

namespace heddle_host {

lanes_of_warps with_running_lane(const block_state& block, lanes_of_warps lanes) {
  const unsigned thread = lane_now.thread;
  if (!block.has_exited(thread)) lanes[thread / lanes_per_warp] |= 1u << thread % lanes_per_warp;
  return lanes;
}

std::vector<lane_place> places_by_code(const block_state& block, const lanes_of_warps& lanes) {
  std::vector<lane_place> places;
  for (unsigned warp = 0; warp < block.warps(); ++warp) {
    for (std::uint32_t left = lanes[warp]; left; left &= left - 1) {
      const unsigned thread = warp * lanes_per_warp + static_cast<unsigned>(std::countr_zero(left));
      const void* const code = block.record(thread).code();
      const bool is_known = std::any_of(places.begin(), places.end(),
                                        [=](const auto& one) { return one.code == code; });
      if (is_known) continue;
      places.push_back(block.place(thread));
      places.back().code = code;
    }
  }
  return places;
}

void report_meeting(const block_state& block, const lanes_of_warps& lanes, bool are_all) {
  current_observer()->threads_meet(lanes.data(), block.warps(), are_all);
}

void report_incomplete_group(const block_state& block, const lanes_of_warps& makers,
                             unsigned absent) {
  std::vector<lane_place> places = places_by_code(block, makers);
  for (lane_place& each : places) {
    each.doing = activity::running;
    each.mask = 0;
  }
  lane_place gone = block.place(absent);
  gone.doing = activity::exiting;
  current_observer()->meeting_lacks_thread(places, gone, absent, true);
}

}  // namespace heddle_host
