// The address sanitizer's functions, for programs that are linked with it.
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

// The program may be built with it even if the runtime is not.
inline bool has_address_sanitizer() { return &__sanitizer_start_switch_fiber != nullptr; }

}  // namespace heddle_host
