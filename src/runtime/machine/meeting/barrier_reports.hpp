// What the observer learns when threads of a block complete a barrier.
#pragma once
#include <vector>

#include <heddle_host/finding.hpp>

#include "machine/warp_state.hpp"

namespace heddle_host {

class block_state;

// Adds the running lane, unless it has just exited.
[[nodiscard]] lanes_of_warps with_running_lane(const block_state& block, lanes_of_warps lanes);

// One place for each piece of code at which the threads wait.
[[nodiscard]] std::vector<lane_place> places_by_code(const block_state& block,
                                                     const lanes_of_warps& lanes);

void report_meeting(const block_state& block, const lanes_of_warps& lanes, bool are_all);

// A group was partitioned by `makers` without one of its threads, which has exited.
void report_incomplete_group(const block_state& block, const lanes_of_warps& makers,
                             unsigned absent);

}  // namespace heddle_host
