// Intercepts the C library's clocks, so that a run can be repeated with slower ones.
#include "checker/hooks/program_clock.hpp"

#include <sys/time.h>

#include <atomic>
#include <cstdint>
#include <ctime>

#include "checker/hooks/real_function.hpp"

namespace heddle_checker {
namespace {

constexpr std::int64_t slowness = 3;
constexpr std::int64_t nanoseconds = 1'000'000'000;

std::atomic<bool> are_slow = false;
std::int64_t real_begin = 0, monotonic_begin = 0;

// The C library's function needs no system call.
int read_clock(clockid_t which, timespec* now) { return HEDDLE_REAL(clock_gettime)(which, now); }

std::int64_t number_of(const timespec& time) {
  return std::int64_t{time.tv_sec} * nanoseconds + time.tv_nsec;
}

std::int64_t time_of(clockid_t which) {
  timespec now{};
  read_clock(which, &now);
  return number_of(now);
}

// The time at which the clock was slowed down. Null: it keeps its normal speed.
const std::int64_t* begin_of(clockid_t which) {
  static constexpr std::int64_t beginning = 0;
  switch (which) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
      return &real_begin;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_BOOTTIME:
      return &monotonic_begin;
    case CLOCK_PROCESS_CPUTIME_ID:
      return &beginning;
    default:
      return nullptr;
  }
}

int read_program_clock(clockid_t which, timespec* to) {
  const int result = read_clock(which, to);
  if (result != 0 || !are_slow.load(std::memory_order_relaxed)) return result;
  const std::int64_t* const begin = begin_of(which);
  if (begin == nullptr) return result;
  const std::int64_t now = *begin + (number_of(*to) - *begin) / slowness;
  to->tv_sec = static_cast<time_t>(now / nanoseconds);
  to->tv_nsec = static_cast<long>(now % nanoseconds);
  return result;
}

}  // namespace

void slow_clocks_down() {
  real_begin = time_of(CLOCK_REALTIME);
  monotonic_begin = time_of(CLOCK_MONOTONIC);
  are_slow = true;
}

}  // namespace heddle_checker

extern "C" {

int clock_gettime(clockid_t which, timespec* to) noexcept {
  return heddle_checker::read_program_clock(which, to);
}

int gettimeofday(timeval* __restrict to, void* __restrict) noexcept {
  timespec now{};
  heddle_checker::read_program_clock(CLOCK_REALTIME, &now);
  *to = {now.tv_sec, static_cast<suseconds_t>(now.tv_nsec / 1000)};
  return 0;
}

time_t time(time_t* to) noexcept {
  timespec now{};
  heddle_checker::read_program_clock(CLOCK_REALTIME, &now);
  if (to != nullptr) *to = now.tv_sec;
  return now.tv_sec;
}

clock_t clock() noexcept {
  timespec now{};
  heddle_checker::read_program_clock(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<clock_t>(now.tv_sec * CLOCKS_PER_SEC +
                              now.tv_nsec / (1'000'000'000 / CLOCKS_PER_SEC));
}

}  // extern "C"
