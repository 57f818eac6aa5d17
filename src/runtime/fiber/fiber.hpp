// Fibers: code with its own stack that can be suspended and resumed.
#pragma once
#include <cstdint>

#include <heddle_host/context.hpp>

#include "fiber/address_sanitizer.hpp"
#include "fiber/stack_pool.hpp"

namespace heddle_host {

struct fiber : runner {
  stack memory{};
  unsigned color = 0;        // shifts the first frame, so that stacks do not share cache sets
  std::uint64_t serves = 0;  // the grid whose lanes it runs; 0 if none yet
};

// Lays out `fresh` so that the first switch to it calls `entry`, which must never return.
void prepare(fiber& fresh, void (*entry)());

// switch_context() that informs the address sanitizer.
void switch_and_inform_sanitizer(context& mine, context next);

// switch_context() for the runtime, which does not know how the program was built.
[[gnu::always_inline]] inline void switch_fiber(context& mine, context next) {
#ifndef HEDDLE_ADDRESS_SANITIZER
  if (__builtin_expect(has_address_sanitizer(), false))
    return switch_and_inform_sanitizer(mine, next);
#endif
  switch_context(mine, next);
}

// Must be the first call of a fiber's entry function.
inline void arrive_on_new_stack() {
  if (has_address_sanitizer()) enter_stack(nullptr);
    // The outermost frame: debuggers need not look for a caller.
#if defined(__aarch64__)
  asm volatile(".cfi_undefined x30");
#elif defined(__x86_64__)
  asm volatile(".cfi_undefined rip");
#endif
}

// Clears the address sanitizer's state for an abandoned fiber's stack.
void forget_frames(const fiber& abandoned);

}  // namespace heddle_host
