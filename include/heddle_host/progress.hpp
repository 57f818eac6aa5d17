// How a lane that waits for another lane's store lets that lane run.
#pragma once
#include <heddle_host/lane.hpp>

namespace heddle_host {

// Lets every other runnable lane go first. Does nothing on the host.
void yield();

// The same for a lane that waits for nothing but has run long enough; `where` is its place. Call
// only from lane code.
void end_turn(const void* where);

// Call after a poll that found nothing new: lets others run now and then. Not inlined in a profiled
// program, so that its branches are not counted as the program's.
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

// The running lane's grid makes progress although no thread starts or exits.
void note_progress();

void nanosleep(unsigned nanoseconds);

// Time since 1970, from the system clock at program start. It never goes back, even if the system
// clock is changed.
unsigned long long global_nanoseconds();

}  // namespace heddle_host
