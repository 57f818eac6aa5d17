// Intercepts the C library's functions with which threads wait for each other: condition variables,
// semaphores, barriers, pthread_once and futexes.
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <map>
#include <set>

#include "checker/hooks/real_function.hpp"
#include "checker/hooks/thread_hooks.hpp"

using namespace heddle_checker;

namespace {

int wait_for_condition(pthread_cond_t* condition, pthread_mutex_t* mutex,
                       host_threads::deadline until) {
  int error = 0;
  const bool was_woken = threads_in_force->wait_once(
      condition, until,
      [&] {
        error = HEDDLE_REAL(pthread_mutex_unlock)(mutex);
        return error == 0;
      },
      mutex);
  if (error != 0) return error;
  error = pthread_mutex_lock(mutex);
  return error != 0 ? error : was_woken ? 0 : ETIMEDOUT;
}

int set_error(int error) {
  if (error == 0) return 0;
  errno = error;
  return -1;
}

int take_semaphore(sem_t* semaphore, host_threads::deadline until) {
  threads_in_force->pass_point();
  return set_error(take_by_turns(semaphore, until, EAGAIN, ETIMEDOUT, [&] {
    return HEDDLE_REAL(sem_trywait)(semaphore) == 0 ? 0 : errno;
  }));
}

// Held only for a moment, by threads with or without a turn.
class brief_lock {
 public:
  brief_lock() { HEDDLE_REAL(pthread_mutex_lock)(&mutex_); }
  ~brief_lock() { HEDDLE_REAL(pthread_mutex_unlock)(&mutex_); }
  brief_lock(const brief_lock&) = delete;
  brief_lock& operator=(const brief_lock&) = delete;

 private:
  static inline pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
};

struct known_barrier {
  unsigned size;
  unsigned arrived = 0;
  std::uint64_t times = 0;  // how often all threads have met
};
// Never destroyed: threads may outlive main.
auto& known_barriers = *new std::map<const pthread_barrier_t*, known_barrier>;
auto& calls_once = *new std::set<const pthread_once_t*>;  // calls in progress

// A destroyed barrier has released all its threads.
bool have_met(const pthread_barrier_t* barrier, std::uint64_t times) {
  const auto known = known_barriers.find(barrier);
  return known == known_barriers.end() || known->second.times != times;
}

// std::atomic, std::future and the guards of static variables wait on futexes.
long wait_for_futex(const int* word, int value, host_threads::deadline until) {
  bool is_as_expected = false;
  const bool was_woken = threads_in_force->wait_once(word, until, [&] {
    is_as_expected = __atomic_load_n(word, __ATOMIC_SEQ_CST) == value;
    return is_as_expected;
  });
  return set_error(!is_as_expected ? EAGAIN : was_woken ? 0 : ETIMEDOUT);
}

}  // namespace

extern "C" {

int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  return is_to_wait_by_turns() ? wait_for_condition(condition, mutex, {})
                               : HEDDLE_REAL(pthread_cond_wait)(condition, mutex);
}

int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                           const timespec* time) {
  if (!is_to_wait_by_turns()) return HEDDLE_REAL(pthread_cond_timedwait)(condition, mutex, time);
  const bool is_monotonic = (condition->__data.__wrefs & 2) != 0;  // where glibc keeps the clock
  return wait_for_condition(condition, mutex,
                            moment_of(is_monotonic ? CLOCK_MONOTONIC : CLOCK_REALTIME, *time));
}

int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const timespec* time) {
  return is_to_wait_by_turns() ? wait_for_condition(condition, mutex, moment_of(clock, *time))
                               : HEDDLE_REAL(pthread_cond_clockwait)(condition, mutex, clock, time);
}

int pthread_cond_signal(pthread_cond_t* condition) noexcept {
  wake_by_turns(condition, 1);
  return HEDDLE_REAL(pthread_cond_signal)(condition);
}

int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
  wake_by_turns(condition);
  return HEDDLE_REAL(pthread_cond_broadcast)(condition);
}

int sem_wait(sem_t* semaphore) {
  return is_to_wait_by_turns() ? take_semaphore(semaphore, {}) : HEDDLE_REAL(sem_wait)(semaphore);
}

int sem_timedwait(sem_t* semaphore, const timespec* time) {
  return is_to_wait_by_turns() ? take_semaphore(semaphore, moment_of(CLOCK_REALTIME, *time))
                               : HEDDLE_REAL(sem_timedwait)(semaphore, time);
}

int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* time) {
  return is_to_wait_by_turns() ? take_semaphore(semaphore, moment_of(clock, *time))
                               : HEDDLE_REAL(sem_clockwait)(semaphore, clock, time);
}

int sem_trywait(sem_t* semaphore) noexcept {
  const int result = HEDDLE_REAL(sem_trywait)(semaphore);
  if (result == 0 || !is_to_wait_by_turns()) return result;
  const int error = errno;
  if (error == EAGAIN) threads_in_force->step_back();
  return set_error(error);
}

int sem_post(sem_t* semaphore) noexcept {
  const int result = HEDDLE_REAL(sem_post)(semaphore);
  const int error = errno;
  wake_by_turns(semaphore);
  errno = error;
  return result;
}

int pthread_barrier_init(pthread_barrier_t* barrier, const pthread_barrierattr_t* attributes,
                         unsigned count) noexcept {
  const int result = HEDDLE_REAL(pthread_barrier_init)(barrier, attributes, count);
  int sharing = PTHREAD_PROCESS_PRIVATE;
  if (attributes != nullptr) pthread_barrierattr_getpshared(attributes, &sharing);
  const brief_lock lock;
  if (result == 0 && sharing == PTHREAD_PROCESS_PRIVATE) known_barriers[barrier] = {count};
  return result;
}

int pthread_barrier_destroy(pthread_barrier_t* barrier) noexcept {
  {
    const brief_lock lock;
    known_barriers.erase(barrier);
  }
  return HEDDLE_REAL(pthread_barrier_destroy)(barrier);
}

int pthread_barrier_wait(pthread_barrier_t* barrier) noexcept {
  bool is_known = true, is_last = false;
  std::uint64_t times = 0;
  const auto arrive = [&] {
    const brief_lock lock;
    const auto known = known_barriers.find(barrier);
    is_known = known != known_barriers.end();
    if (!is_known) return;
    known_barrier& mine = known->second;
    times = mine.times;
    is_last = ++mine.arrived == mine.size;
    if (!is_last) return;
    mine.arrived = 0;
    ++mine.times;
  };
  const bool by_turns = is_to_wait_by_turns();
  if (by_turns) arrive();
  if (!by_turns || !is_known) return HEDDLE_REAL(pthread_barrier_wait)(barrier);
  if (is_last) {
    threads_in_force->wake(barrier);
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  threads_in_force->wait_until(barrier, {}, [&] {
    const brief_lock lock;
    return have_met(barrier, times);
  });
  return 0;
}

// The function may wait, so another thread may get here meanwhile.
int pthread_once(pthread_once_t* control, void (*function)()) {
  if (!waits_by_turns()) return HEDDLE_REAL(pthread_once)(control, function);
  threads_in_force->wait_until(control, {}, [&] {
    const brief_lock lock;
    return calls_once.insert(control).second;
  });
  struct section {
    const pthread_once_t* control;
    ~section() {
      {
        const brief_lock lock;
        calls_once.erase(control);
      }
      wake_by_turns(control);
    }
  };
  const section end{control};
  return HEDDLE_REAL(pthread_once)(control, function);
}

long syscall(long number, ...) noexcept {
  va_list given;
  va_start(given, number);
  long words[6];
  for (long& each : words) each = va_arg(given, long);
  va_end(given);
  const auto real = [&] {
    return HEDDLE_REAL(syscall)(number, words[0], words[1], words[2], words[3], words[4], words[5]);
  };
  if (number != SYS_futex) return real();
  const auto* const word = reinterpret_cast<const int*>(words[0]);
  const auto* const time = reinterpret_cast<const timespec*>(words[3]);
  const bool by_calendar = (words[1] & FUTEX_CLOCK_REALTIME) != 0;
  switch (words[1] & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
      if (!is_to_wait_by_turns()) return real();
      return wait_for_futex(word, static_cast<int>(words[2]),
                            time == nullptr ? host_threads::deadline() : moment_in(*time));
    case FUTEX_WAIT_BITSET:
      if (!is_to_wait_by_turns()) return real();
      return wait_for_futex(word, static_cast<int>(words[2]),
                            time == nullptr
                                ? host_threads::deadline()
                                : moment_of(by_calendar ? CLOCK_REALTIME : CLOCK_MONOTONIC, *time));
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET: {
      const unsigned woken = wake_by_turns(word, static_cast<unsigned>(words[2]));
      const long others = real();
      return others < 0 ? others : others + woken;
    }
    default:
      return real();
  }
}

}  // extern "C"
