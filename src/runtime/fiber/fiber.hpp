// Fibers: code with a stack of its own that stops and goes on.
#pragma once
#include <cstdint>

#include <heddle_host/context.hpp>

#include "fiber/address_sanitizer.hpp"
#include "fiber/stack_pool.hpp"

namespace heddle_host {

struct fiber : runner {
  stack memory{};
  unsigned color = 0;        // shifts the first frame, so that stacks do not share cache sets
  std::uint64_t serves = 0;  // the grid whose lanes it runs; 0: none yet
};

// Lays out `fresh` so that the first switch to it calls `entry`, which must never return.
void prepare(fiber& fresh, void (*entry)());

// switch_context() that tells the address sanitizer.
void switch_and_tell(context& mine, context next);

// switch_context() for the runtime's own code, which does not know what the program is built with.
[[gnu::always_inline]] inline void switch_fiber(context& mine, context next) {
#ifndef HEDDLE_ADDRESS_SANITIZER
  if (__builtin_expect(has_address_sanitizer(), false)) return switch_and_tell(mine, next);
#endif
  switch_context(mine, next);
}

// To be called first by a fiber's entry.
inline void arrive_on_new_stack() {
  if (has_address_sanitizer()) enter_stack(nullptr);
    // Here the stack begins: debuggers need not look for a caller.
#if defined(__aarch64__)
  asm volatile(".cfi_undefined x30");
#elif defined(__x86_64__)
  asm volatile(".cfi_undefined rip");
#endif
}

// Makes an abandoned fiber's stack clean again for the address sanitizer.
void forget_frames(const fiber& abandoned);

}  // namespace heddle_host
