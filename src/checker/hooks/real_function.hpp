// The C library's own functions, where the checker's stand before them.
#pragma once
#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <cstddef>

namespace heddle_checker {

template <std::size_t length>
struct function_name {
  // NOLINTNEXTLINE: so that a string can be given for it
  constexpr function_name(const char (&from)[length]) { std::copy_n(from, length, text); }
  char text[length]{};
};

// Looked up once. Not by a static variable, whose guard may wait by one of these functions. Of
// those functions of x86-64 that have two versions the newer one is needed.
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
