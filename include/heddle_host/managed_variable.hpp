// Registers `__managed__` variables in a checked program; a no-op elsewhere.
#pragma once
#include <cstddef>

namespace heddle_host {

#ifdef HEDDLE_CHECKED
void add_managed_memory(const volatile void* begin, std::size_t bytes);
#else
inline void add_managed_memory(const volatile void*, std::size_t) {}
#endif

// The frontend writes this after the declaration of a `__managed__` variable.
template <typename T>
bool add_managed(const volatile T& variable) {
  add_managed_memory(&reinterpret_cast<const volatile char&>(variable), sizeof(T));
  return true;
}

}  // namespace heddle_host
