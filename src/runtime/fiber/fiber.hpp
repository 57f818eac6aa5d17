// Fibers: code with a stack of its own that stops and goes on.
#pragma once
#include <cstdint>

#include <heddle_host/context.hpp>

#include "fiber/stack_pool.hpp"

namespace heddle_host {

struct fiber : runner {
  stack memory{};
  unsigned color = 0;        // shifts the first frame, so that stacks do not share cache sets
  std::uint64_t serves = 0;  // the grid whose lanes it runs; 0: none yet
};

// Lays out `fresh` so that the first switch to it calls `entry`, which must never return.
void prepare(fiber& fresh, void (*entry)());

// To be called first by a fiber's entry.
inline void arrive_on_new_stack() {
#ifdef HEDDLE_ADDRESS_SANITIZER
  enter_stack(nullptr);
#endif
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
