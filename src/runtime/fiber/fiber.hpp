// Fibers: code with a stack of its own that stops and goes on. Thin over Boost.Context's machine
// layer.
#pragma once
#include <boost/context/detail/fcontext.hpp>

#include <cstdint>

#include "fiber/stack_pool.hpp"

#if defined(__SANITIZE_ADDRESS__)
#define HEDDLE_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HEDDLE_ADDRESS_SANITIZER 1
#endif
#endif
#ifdef HEDDLE_ADDRESS_SANITIZER
#include <sanitizer/common_interface_defs.h>
#endif

namespace heddle_host {

// Where code that has stopped goes on. Good for one switch.
using context = boost::context::detail::fcontext_t;
using arrival = boost::context::detail::transfer_t;

struct fiber {
  context idle = nullptr;  // where it goes on when it is taken for new work
  stack memory{};
  unsigned color = 0;        // shifts the first frame, so that stacks do not share cache sets
  std::uint64_t serves = 0;  // the grid whose lanes it runs; 0: none yet
};

// Lays out `fresh` so that the first switch to it calls `entry`, which must never return.
void prepare(fiber& fresh, void (*entry)(arrival));

// Makes an abandoned fiber's stack clean again for the address sanitizer.
void forget_frames(const fiber& abandoned);

// To be called first by a fiber's entry: notes where the code that ran before has stopped.
inline void arrive(arrival from, [[maybe_unused]] void* fake_stack = nullptr) {
#ifdef HEDDLE_ADDRESS_SANITIZER
  __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
#endif
  *static_cast<context*>(from.data) = from.fctx;
}

// Stops the running code, to go on at `mine`, and goes on at `next`. Returns when somebody switches
// to `mine`.
inline void switch_context(context& mine, context next) {
  void* fake_stack = nullptr;
#ifdef HEDDLE_ADDRESS_SANITIZER
  const stack target = stack_around(next);
  __sanitizer_start_switch_fiber(&fake_stack, target.lowest, target.bytes);
#endif
  arrive(boost::context::detail::jump_fcontext(next, &mine), fake_stack);
}

}  // namespace heddle_host
