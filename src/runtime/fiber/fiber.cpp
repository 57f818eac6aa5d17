// Creation of fibers and what the address sanitizer must know of them.
#include "fiber/fiber.hpp"

#include <new>

#ifdef HEDDLE_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace heddle_host {

void prepare(fiber& fresh, void (*entry)()) {
  constexpr std::size_t color_bytes = 192;
  constexpr unsigned colors = 20;  // up to 3,648 bytes: less than a page
  std::byte* top = fresh.memory.lowest + fresh.memory.bytes - fresh.color % colors * color_bytes;
#if defined(__x86_64__)
  top -= sizeof(void*);  // a function finds the stack as a call leaves it: with a return address
#endif
  top -= sizeof(stopped_frame);
  fresh.idle = new (top) stopped_frame{};
  fresh.idle->code = reinterpret_cast<const void*>(entry);
}

void forget_frames([[maybe_unused]] const fiber& abandoned) {
#ifdef HEDDLE_ADDRESS_SANITIZER
  __asan_unpoison_memory_region(abandoned.memory.lowest, abandoned.memory.bytes);
#endif
}

#ifdef HEDDLE_ADDRESS_SANITIZER
void leave_stack(context next, void** fake_stack) {
  const stack target = stack_around(next);
  __sanitizer_start_switch_fiber(fake_stack, target.lowest, target.bytes);
}

void enter_stack(void* fake_stack) {
  __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
}
#endif

}  // namespace heddle_host
