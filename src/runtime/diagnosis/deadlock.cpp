// A deadlock in which all lanes wait in warp operations is one of their masks; one in which some
// lanes partition a group is a divergent collective.
#include "diagnosis/deadlock.hpp"

#include <algorithm>

#include <heddle_host/run_policy.hpp>

namespace heddle_host {

finding classify_deadlock(finding deadlock) {
  const bool is_of_masks =
      policy().follows_warp_operations &&
      std::all_of(deadlock.places.begin(), deadlock.places.end(),
                  [](const auto& place) { return place.doing == activity::exchanging; });
  if (is_of_masks) {
    deadlock.kind = finding_kind::mask;
    deadlock.cause = finding_cause::blocked_masks;
  }
  for (lane_place& place : deadlock.places) {
    if (place.doing != activity::making_group) continue;
    deadlock.kind = finding_kind::divergent_collective;
    deadlock.cause = finding_cause::split_group;
    place.doing = activity::running;
  }
  return deadlock;
}

}  // namespace heddle_host
