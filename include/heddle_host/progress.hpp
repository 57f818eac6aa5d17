// How a lane that waits for another lane's store lets that lane run.
#pragma once
#include <heddle_host/lane.hpp>

namespace heddle_host {

// Lets every other lane that can run go first. On the host: nothing.
void yield();

// To be called after a poll that found nothing new: lets others run now and then.
#ifdef HEDDLE_PROFILED
void spin_hint();
#else
inline void spin_hint() {
  if (in_lane() && --lane_now.spin_budget == 0) yield();
}
#endif

void nanosleep(unsigned nanoseconds);

}  // namespace heddle_host
