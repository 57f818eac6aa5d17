// Intercepts the C library's functions that start, join and suspend threads.
#include "checker/hooks/thread_hooks.hpp"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <memory>

#include <heddle_host/lane.hpp>
#include <heddle_host/own_threads.hpp>

#include "checker/hooks/real_function.hpp"
#include "checker/streams/stream_server.hpp"

namespace heddle_checker {

host_threads* threads_in_force = nullptr;

namespace {

pthread_key_t end_of_thread;

// The destructor of a key runs again while it leaves a value, and destructors of thread_local
// variables run earlier. So this one runs last.
void leave_at_last(void* round) {
  const auto times = reinterpret_cast<std::uintptr_t>(round);
  if (times < PTHREAD_DESTRUCTOR_ITERATIONS) {
    pthread_setspecific(end_of_thread, reinterpret_cast<void*>(times + 1));
  } else {
    threads_in_force->leave();
  }
}

void await_end() { pthread_setspecific(end_of_thread, reinterpret_cast<void*>(1)); }

struct beginning {
  host_threads::thread number;
  void* (*function)(void*);
  void* argument;
};

void* begin_thread(void* given) {
  const std::unique_ptr<beginning> how(static_cast<beginning*>(given));
  await_end();
  threads_in_force->arrive(how->number);
  return how->function(how->argument);
}

}  // namespace

void begin_host_threads() {
  pthread_key_create(&end_of_thread, leave_at_last);
  await_end();
  threads_in_force = new host_threads;  // never destroyed: threads may outlive main
  threads_in_force->begin();
  pthread_atfork([] { threads_in_force->before_fork(); },
                 [] { threads_in_force->after_fork(false); },
                 [] { threads_in_force->after_fork(true); });
}

bool waits_by_turns() {
  return threads_in_force != nullptr && threads_in_force->takes_turns() && !heddle_host::in_lane();
}

bool is_to_wait_by_turns() {
  let_streams_get_on();
  return waits_by_turns();
}

host_threads::deadline moment_of(clockid_t clock, const timespec& time) {
  timespec now;
  if (clock_gettime(clock, &now) != 0) return {};
  return moment_in({time.tv_sec - now.tv_sec, time.tv_nsec - now.tv_nsec});
}

host_threads::deadline moment_in(const timespec& duration) {
  using std::chrono::nanoseconds;
  using std::chrono::seconds;
  constexpr seconds for_ever{1'000'000'000};  // small enough that no sum overflows
  const seconds whole{duration.tv_sec};
  if (whole > for_ever) return {};
  return host_threads::now() + whole + nanoseconds(duration.tv_nsec);
}

}  // namespace heddle_checker

using namespace heddle_checker;

namespace {

// Nobody wakes the thread early.
void sleep_until(host_threads::deadline moment) {
  threads_in_force->wait_until(nullptr, moment, [] { return false; });
}

}  // namespace

extern "C" {

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*function)(void*),
                   void* argument) noexcept {
  const bool takes_part = threads_in_force != nullptr && !heddle_host::is_starting_own_thread() &&
                          !heddle_host::in_lane() && threads_in_force->is_taking_part();
  if (!takes_part) {
    return HEDDLE_REAL(pthread_create)(thread, attributes, function, argument);
  }
  const host_threads::thread number = threads_in_force->add();
  auto* const how = new beginning{number, function, argument};
  const int error = HEDDLE_REAL(pthread_create)(thread, attributes, begin_thread, how);
  if (error != 0) {
    threads_in_force->forget(number);
    delete how;
    return error;
  }
  threads_in_force->is_called(number, *thread);
  threads_in_force->pass_point();
  return 0;
}

int pthread_join(pthread_t thread, void** result) {
  if (is_to_wait_by_turns()) {
    if (const auto end = threads_in_force->end_of(thread)) {
      threads_in_force->wait_until(end.get(), {}, [&] { return end->load(); });
    }
  }
  return HEDDLE_REAL(pthread_join)(thread, result);
}

int sched_yield() noexcept {
  if (!is_to_wait_by_turns()) return HEDDLE_REAL(sched_yield)();
  threads_in_force->step_back();
  return 0;
}

int nanosleep(const timespec* duration, timespec* left) {
  if (!is_to_wait_by_turns()) return HEDDLE_REAL(nanosleep)(duration, left);
  sleep_until(moment_in(*duration));
  return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec* left) {
  if (!is_to_wait_by_turns()) return HEDDLE_REAL(clock_nanosleep)(clock, flags, time, left);
  sleep_until((flags & TIMER_ABSTIME) != 0 ? moment_of(clock, *time) : moment_in(*time));
  return 0;
}

int usleep(useconds_t microseconds) {
  if (!is_to_wait_by_turns()) return HEDDLE_REAL(usleep)(microseconds);
  sleep_until(host_threads::now() + std::chrono::microseconds(microseconds));
  return 0;
}

unsigned sleep(unsigned seconds) {
  if (!is_to_wait_by_turns()) return HEDDLE_REAL(sleep)(seconds);
  sleep_until(host_threads::now() + std::chrono::seconds(seconds));
  return 0;
}

}  // extern "C"
