// What the functions that stand before the C library's need of the host's threads.
#pragma once
#include <time.h>

#include <heddle_host/stream_work.hpp>

#include "checker/schedule/host_threads.hpp"

namespace heddle_checker {

// Null until the checker is there.
extern host_threads* threads_in_force;

// The calling thread is the first one that takes turns.
void begin_host_threads();

// Whether the calling thread waits by its turns. Lanes have others.
[[nodiscard]] bool waits_by_turns();

// The same for a thread that is about to wait, perhaps for something that streams will do.
[[nodiscard]] bool is_to_wait_by_turns();

// Whether a thread that looks at memory again and again may see somebody else change it: another
// thread, or a stream.
[[nodiscard]] inline bool host_may_wait_for_others() {
  return threads_in_force->are_several() || heddle_host::is_stream_work_left();
}

// Whoever waits for it may look again, if that is somebody who waits by turns.
inline unsigned wake_by_turns(const void* key, unsigned most = thread_turns::all) {
  host_threads* const threads = threads_in_force;
  const bool is_needed =
      threads != nullptr && threads->are_several() && !host_threads::is_at_work();
  return is_needed ? threads->wake(key, most) : 0;
}

// The moment that a clock will show as `time`; and that after so much time.
[[nodiscard]] host_threads::deadline moment_of(clockid_t clock, const timespec& time);
[[nodiscard]] host_threads::deadline moment_in(const timespec& duration);

// Takes what `try_once` returns 0 for, as soon as it does not return `is_taken` any more.
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
