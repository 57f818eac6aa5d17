// CUDA's fences, clocks, traps, assertions and wide shifts.
#include <device_functions.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <heddle_host/barrier.hpp>
#include <heddle_host/fault.hpp>
#include <heddle_host/gpu_shift.hpp>
#include <heddle_host/observer.hpp>
#include <heddle_host/progress.hpp>
#include <heddle_host/trap.hpp>

#include "machine/block_state.hpp"

#define HEDDLE_CALLER __builtin_return_address(0)

namespace {
void report_fence(heddle_host::memory_scope scope, const void* code) {
  if (heddle_host::observer* const watching = heddle_host::current_observer()) {
    if (heddle_host::in_lane()) watching->fence_runs(scope, code);
  }
}

[[noreturn]] void trap_at(const void* code, heddle_host::finding_cause why) {
  if (heddle_host::in_lane()) {
    heddle_host::fail_launch(heddle_host::finding_kind::trap, why, cudaErrorLaunchFailure, code);
  }
  std::abort();
}
}  // namespace

void __threadfence_block() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  report_fence(heddle_host::memory_scope::block, HEDDLE_CALLER);
}

// A fence in a loop suggests that the lane is polling.
void __threadfence() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  report_fence(heddle_host::memory_scope::device, HEDDLE_CALLER);
  heddle_host::spin_hint();
}

void __threadfence_system() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  report_fence(heddle_host::memory_scope::system, HEDDLE_CALLER);
  heddle_host::spin_hint();
}

void heddle_host::note_wide_shift(int distance, unsigned width) {
  if (observer* const watching = current_observer(); watching != nullptr && in_lane()) {
    watching->lane_shifts_all_bits(distance, width, HEDDLE_CALLER);
  }
}

long long clock64() {
  if (heddle_host::observer* const watching = heddle_host::current_observer()) {
    if (heddle_host::in_lane()) watching->lane_asks_for_time();
  }
  return std::chrono::steady_clock::now().time_since_epoch().count();
}

namespace {
// Initialised before any lane runs, since a lane may be interrupted anywhere.
const std::chrono::nanoseconds clocks_apart =
    std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()) -
    std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch());
}  // namespace

unsigned long long heddle_host::global_nanoseconds() {
  const std::chrono::nanoseconds now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<unsigned long long>((now + clocks_apart).count());
}

void __nanosleep(unsigned nanoseconds) { heddle_host::nanosleep(nanoseconds); }

void __trap() { trap_at(HEDDLE_CALLER, heddle_host::finding_cause::none); }

void heddle_host::trap(finding_cause why) { trap_at(HEDDLE_CALLER, why); }

void __brkpt() { __builtin_trap(); }

// Called by assert(). In a lane it ends the kernel with CUDA's error; elsewhere it does what the C
// library does.
extern "C" [[noreturn]] void __assert_fail(const char* condition, const char* file, unsigned line,
                                           const char* function) noexcept {
  if (!heddle_host::in_lane()) {
    std::fflush(nullptr);
    std::fprintf(stderr, "%s: %s:%u: %s: Assertion `%s' failed.\n", program_invocation_short_name,
                 file, line, function, condition);
    std::abort();
  }
  heddle_host::leave_lane_code();  // memory used from here on is not the lane's
  heddle_host::fail_launch(heddle_host::finding_kind::assertion, heddle_host::finding_cause::none,
                           cudaErrorAssert, HEDDLE_CALLER,
                           heddle_host::failed_assertion{condition});
}
