// CUDA's block barriers, fences, clocks and ends, as functions of the machine.
#include <device_functions.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <heddle_host/barrier.hpp>
#include <heddle_host/fault.hpp>
#include <heddle_host/progress.hpp>

#include "machine/block_state.hpp"

#define HEDDLE_CALLER __builtin_return_address(0)

void __syncthreads() {
  heddle_host::machine_section guard;
  heddle_host::lane_now.block->arrive_at_barrier(0, 0, false, HEDDLE_CALLER);
}

int __syncthreads_count(int predicate) {
  heddle_host::machine_section guard;
  return static_cast<int>(
      heddle_host::lane_now.block->arrive_at_barrier(0, 0, predicate != 0, HEDDLE_CALLER)
          .true_predicates);
}

int __syncthreads_and(int predicate) {
  heddle_host::machine_section guard;
  const auto all =
      heddle_host::lane_now.block->arrive_at_barrier(0, 0, predicate != 0, HEDDLE_CALLER);
  return all.true_predicates == all.arrived;
}

int __syncthreads_or(int predicate) {
  heddle_host::machine_section guard;
  const auto all =
      heddle_host::lane_now.block->arrive_at_barrier(0, 0, predicate != 0, HEDDLE_CALLER);
  return all.true_predicates != 0;
}

void __barrier_sync(unsigned barrier) { __barrier_sync_count(barrier, 0); }

void __barrier_sync_count(unsigned barrier, unsigned threads) {
  heddle_host::machine_section guard;
  if (barrier >= heddle_host::named_barriers || threads % heddle_host::lanes_per_warp != 0) {
    heddle_host::fail_launch(
        heddle_host::finding_kind::divergent_barrier, cudaErrorIllegalInstruction,
        "a barrier has a number from 0 to 15 and a thread count that is a multiple of 32",
        HEDDLE_CALLER);
  }
  heddle_host::lane_now.block->arrive_at_barrier(barrier, threads, false, HEDDLE_CALLER);
}

void __threadfence_block() { std::atomic_thread_fence(std::memory_order_seq_cst); }

// A fence in a waiting loop is a sign of waiting.
void __threadfence() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  heddle_host::spin_hint();
}

void __threadfence_system() { __threadfence(); }

long long clock64() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

void __nanosleep(unsigned nanoseconds) { heddle_host::nanosleep(nanoseconds); }

void __trap() {
  if (heddle_host::in_lane()) {
    heddle_host::fail_launch(heddle_host::finding_kind::trap, cudaErrorLaunchFailure, {},
                             HEDDLE_CALLER);
  }
  std::abort();
}

void __brkpt() { __builtin_trap(); }

// assert() calls this. In a lane it ends the kernel with CUDA's message; elsewhere it does what the
// C library does.
extern "C" [[noreturn]] void __assert_fail(const char* condition, const char* file, unsigned line,
                                           const char* function) noexcept {
  if (!heddle_host::in_lane()) {
    std::fflush(nullptr);
    std::fprintf(stderr, "%s: %s:%u: %s: Assertion `%s' failed.\n", program_invocation_short_name,
                 file, line, function, condition);
    std::abort();
  }
  heddle_host::fail_launch(heddle_host::finding_kind::assertion, cudaErrorAssert,
                           std::string(file) + ':' + std::to_string(line) + ": " + function +
                               ": Assertion `" + condition + "` failed.",
                           HEDDLE_CALLER);
}
