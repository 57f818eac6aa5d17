// Finds the C library functions that the checker's functions of the same name hide.
#pragma once
#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <cstddef>

namespace heddle_checker {

template <std::size_t length>
struct function_name {
  // NOLINTNEXTLINE: converts from a string literal
  constexpr function_name(const char (&from)[length]) { std::copy_n(from, length, text); }
  char text[length]{};
};

// Looks the function up once. A static local variable would not do: its guard may wait through one
// of these functions. On x86-64 some have two versions, of which the newer one is needed.
template <typename Function, function_name name>
Function* real_function() {
  static constinit std::atomic<Function*> kept{nullptr};
  Function* known = kept.load(std::memory_order_relaxed);
  if (known == nullptr) {
    void* found = dlvsym(RTLD_NEXT, name.text, "GLIBC_2.3.2");
    if (found == nullptr) found = dlsym(RTLD_NEXT, name.text);
    known = reinterpret_cast<Function*>(found);
    kept.store(known, std::memory_order_relaxed);
  }
  return known;
}

}  // namespace heddle_checker

#define HEDDLE_REAL(function) (::heddle_checker::real_function<decltype(function), #function>())
