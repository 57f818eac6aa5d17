// What the address sanitizer offers to a program that is linked with it.
#pragma once
#include <cstddef>

extern "C" {
[[gnu::weak]] void __sanitizer_start_switch_fiber(void** fake_stack, const void* lowest,
                                                  std::size_t bytes);
[[gnu::weak]] void __sanitizer_finish_switch_fiber(void* fake_stack, const void** old_lowest,
                                                   std::size_t* old_bytes);
[[gnu::weak]] void __asan_unpoison_memory_region(const volatile void* lowest, std::size_t bytes);
}

namespace heddle_host {

// A program may have it although the runtime was built without it.
inline bool has_address_sanitizer() { return &__sanitizer_start_switch_fiber != nullptr; }

}  // namespace heddle_host
