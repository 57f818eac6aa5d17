// Prepares fibers and informs the address sanitizer about them.
#include "fiber/fiber.hpp"

#include <new>

#include "fiber/address_sanitizer.hpp"

namespace heddle_host {

void prepare(fiber& fresh, void (*entry)()) {
  constexpr std::size_t color_bytes = 192;
  constexpr unsigned colors = 20;  // up to 3,648 bytes: less than a page
  std::byte* top = fresh.memory.lowest + fresh.memory.bytes - fresh.color % colors * color_bytes;
#if defined(__x86_64__)
  top -= sizeof(void*);  // a function expects a return address on the stack, as after a call
#endif
  top -= sizeof(stopped_frame);
  fresh.idle = new (top) stopped_frame{};
  fresh.idle->code = reinterpret_cast<const void*>(entry);
}

void forget_frames(const fiber& abandoned) {
  if (has_address_sanitizer())
    __asan_unpoison_memory_region(abandoned.memory.lowest, abandoned.memory.bytes);
}

void leave_stack(context next, void** fake_stack) {
  const stack target = stack_around(next);
  __sanitizer_start_switch_fiber(fake_stack, target.lowest, target.bytes);
}

void enter_stack(void* fake_stack) {
  __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
}

void switch_and_inform_sanitizer(context& mine, context next) {
  void* fake_stack = nullptr;
  leave_stack(next, &fake_stack);
  switch_context(mine, next);
  enter_stack(fake_stack);
}

}  // namespace heddle_host
