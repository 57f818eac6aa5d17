// Intercepts the C library's lock and unlock functions, so that host threads wait by turns.
#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include "checker/hooks/real_function.hpp"
#include "checker/hooks/thread_hooks.hpp"

using namespace heddle_checker;

namespace {

// If the owner takes no turns, it unlocks the mutex soon: wait in the C library. If a thread locks
// its own error-checking mutex again, the C library returns the error.
bool is_worth_a_turn(const pthread_mutex_t* mutex) {
  const int owner = __atomic_load_n(&mutex->__data.__owner, __ATOMIC_RELAXED);
  const bool looks_after_owner = (mutex->__data.__kind & 3) == PTHREAD_MUTEX_ERRORCHECK;
  return threads_in_force->has_thread(owner) && !(looks_after_owner && owner == gettid());
}

// Waits forever if there is no deadline.
template <typename Real>
int lock_mutex(pthread_mutex_t* mutex, host_threads::deadline until, Real real) {
  threads_in_force->pass_point();
  const int result = HEDDLE_REAL(pthread_mutex_trylock)(mutex);
  if (result != EBUSY) return result;
  if (!is_worth_a_turn(mutex)) return real();
  return take_by_turns(mutex, until, EBUSY, ETIMEDOUT,
                       [&] { return HEDDLE_REAL(pthread_mutex_trylock)(mutex); });
}

// For try functions: a thread that keeps trying lets others run.
int is_busy(int result) {
  if (result == EBUSY) threads_in_force->step_back();
  return result;
}

int lock_for_one(pthread_rwlock_t* lock, host_threads::deadline until) {
  threads_in_force->pass_point();
  return take_by_turns(lock, until, EBUSY, ETIMEDOUT,
                       [&] { return HEDDLE_REAL(pthread_rwlock_trywrlock)(lock); });
}

int lock_for_many(pthread_rwlock_t* lock, host_threads::deadline until) {
  threads_in_force->pass_point();
  return take_by_turns(lock, until, EBUSY, ETIMEDOUT,
                       [&] { return HEDDLE_REAL(pthread_rwlock_tryrdlock)(lock); });
}

}  // namespace

extern "C" {

int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  const auto real = [&] { return HEDDLE_REAL(pthread_mutex_lock)(mutex); };
  return waits_by_turns() ? lock_mutex(mutex, {}, real) : real();
}

int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept {
  const int result = HEDDLE_REAL(pthread_mutex_trylock)(mutex);
  return waits_by_turns() ? is_busy(result) : result;
}

int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* time) noexcept {
  const auto real = [&] { return HEDDLE_REAL(pthread_mutex_timedlock)(mutex, time); };
  return waits_by_turns() ? lock_mutex(mutex, moment_of(CLOCK_REALTIME, *time), real) : real();
}

int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock,
                            const timespec* time) noexcept {
  const auto real = [&] { return HEDDLE_REAL(pthread_mutex_clocklock)(mutex, clock, time); };
  return waits_by_turns() ? lock_mutex(mutex, moment_of(clock, *time), real) : real();
}

int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
  const int result = HEDDLE_REAL(pthread_mutex_unlock)(mutex);
  wake_by_turns(mutex);
  return result;
}

int pthread_rwlock_wrlock(pthread_rwlock_t* lock) noexcept {
  return waits_by_turns() ? lock_for_one(lock, {}) : HEDDLE_REAL(pthread_rwlock_wrlock)(lock);
}

int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) noexcept {
  const int result = HEDDLE_REAL(pthread_rwlock_trywrlock)(lock);
  return waits_by_turns() ? is_busy(result) : result;
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const timespec* time) noexcept {
  return waits_by_turns() ? lock_for_one(lock, moment_of(CLOCK_REALTIME, *time))
                          : HEDDLE_REAL(pthread_rwlock_timedwrlock)(lock, time);
}

int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock,
                               const timespec* time) noexcept {
  return waits_by_turns() ? lock_for_one(lock, moment_of(clock, *time))
                          : HEDDLE_REAL(pthread_rwlock_clockwrlock)(lock, clock, time);
}

int pthread_rwlock_rdlock(pthread_rwlock_t* lock) noexcept {
  return waits_by_turns() ? lock_for_many(lock, {}) : HEDDLE_REAL(pthread_rwlock_rdlock)(lock);
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) noexcept {
  const int result = HEDDLE_REAL(pthread_rwlock_tryrdlock)(lock);
  return waits_by_turns() ? is_busy(result) : result;
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const timespec* time) noexcept {
  return waits_by_turns() ? lock_for_many(lock, moment_of(CLOCK_REALTIME, *time))
                          : HEDDLE_REAL(pthread_rwlock_timedrdlock)(lock, time);
}

int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock,
                               const timespec* time) noexcept {
  return waits_by_turns() ? lock_for_many(lock, moment_of(clock, *time))
                          : HEDDLE_REAL(pthread_rwlock_clockrdlock)(lock, clock, time);
}

int pthread_rwlock_unlock(pthread_rwlock_t* lock) noexcept {
  const int result = HEDDLE_REAL(pthread_rwlock_unlock)(lock);
  wake_by_turns(lock);
  return result;
}

int pthread_spin_lock(pthread_spinlock_t* lock) noexcept {
  if (!waits_by_turns()) return HEDDLE_REAL(pthread_spin_lock)(lock);
  threads_in_force->pass_point();
  return take_by_turns(const_cast<const int*>(lock), {}, EBUSY, EBUSY,
                       [&] { return HEDDLE_REAL(pthread_spin_trylock)(lock); });
}

int pthread_spin_trylock(pthread_spinlock_t* lock) noexcept {
  const int result = HEDDLE_REAL(pthread_spin_trylock)(lock);
  return waits_by_turns() ? is_busy(result) : result;
}

int pthread_spin_unlock(pthread_spinlock_t* lock) noexcept {
  const int result = HEDDLE_REAL(pthread_spin_unlock)(lock);
  wake_by_turns(const_cast<const int*>(lock));
  return result;
}

}  // extern "C"
