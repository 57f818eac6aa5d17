// How a lane that waits for another lane's store lets that lane run.
#pragma once
#include <heddle_host/lane.hpp>

namespace heddle_host {

// Lets every other lane that can run go first. On the host: nothing.
void yield();

// The same for a lane that waits for nothing but has run long enough; `where` is its place. To be
// called by lane code.
void end_turn(const void* where);

// To be called after a poll that found nothing new: lets others run now and then.
// Not inlined in a profiled program, whose branches they are not.
#ifdef HEDDLE_PROFILED
void spin_hint();
void spin_hint_unless(bool found_something);
#else
inline void spin_hint() {
  if (in_lane() && --lane_now.spin_budget == 0) yield();
}
inline void spin_hint_unless(bool found_something) {
  if (!found_something) spin_hint();
}
#endif

// The running lane's grid gets on, though none of its threads begins or ends.
void note_progress();

void nanosleep(unsigned nanoseconds);

// The time since 1970 as the machine knew it when the program began; from then on it never goes
// back, whoever sets the machine's clock.
unsigned long long global_nanoseconds();

}  // namespace heddle_host
