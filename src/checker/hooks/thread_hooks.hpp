// What the intercepted C library functions need to know about host threads.
#pragma once
#include <time.h>

#include <heddle_host/stream_work.hpp>

#include "checker/schedule/host_threads.hpp"

namespace heddle_checker {

// Null until the checker exists.
extern host_threads* threads_in_force;

// Makes the calling thread the first one that takes turns.
void begin_host_threads();

// Whether the calling thread waits by turns. Lanes do not: they are scheduled differently.
[[nodiscard]] bool waits_by_turns();

// The same for a thread that is about to wait, perhaps for work of a stream.
[[nodiscard]] bool is_to_wait_by_turns();

// Whether a thread that polls memory may see a change by another thread or a stream.
[[nodiscard]] inline bool host_may_wait_for_others() {
  return threads_in_force->are_several() || heddle_host::is_stream_work_left();
}

// Lets up to `most` threads that wait for `key` by turns look again; returns how many.
inline unsigned wake_by_turns(const void* key, unsigned most = thread_turns::all) {
  host_threads* const threads = threads_in_force;
  const bool is_needed =
      threads != nullptr && threads->are_several() && !host_threads::is_at_work();
  return is_needed ? threads->wake(key, most) : 0;
}

// The moment at which `clock` will show `time`; the moment after `duration`.
[[nodiscard]] host_threads::deadline moment_of(clockid_t clock, const timespec& time);
[[nodiscard]] host_threads::deadline moment_in(const timespec& duration);

// Calls `try_once` until it no longer returns `is_taken`, and returns its result.
template <typename Try>
int take_by_turns(const void* key, host_threads::deadline until, int is_taken, int time_is_up,
                  Try try_once) {
  int result = is_taken;
  const bool is_there = threads_in_force->wait_until(key, until, [&] {
    result = try_once();
    return result != is_taken;
  });
  return is_there ? result : time_is_up;
}

}  // namespace heddle_checker
