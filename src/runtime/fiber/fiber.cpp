// Creation of fibers and what the address sanitizer must know of them.
#include "fiber/fiber.hpp"

#ifdef HEDDLE_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#endif

namespace heddle_host {

void prepare(fiber& fresh, void (*entry)(arrival)) {
  constexpr std::size_t color_bytes = 192;
  constexpr unsigned colors = 20;  // up to 3,648 bytes: less than a page
  const std::size_t usable = fresh.memory.bytes - fresh.color % colors * color_bytes;
  fresh.idle = boost::context::detail::make_fcontext(fresh.memory.lowest + usable, usable, entry);
}

void forget_frames([[maybe_unused]] const fiber& abandoned) {
#ifdef HEDDLE_ADDRESS_SANITIZER
  __asan_unpoison_memory_region(abandoned.memory.lowest, abandoned.memory.bytes);
#endif
}

}  // namespace heddle_host
