// Replaces the program's malloc, free, new and delete: in lanes they use the device heap.
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>

#include "checker/hooks/hooks.hpp"
#include "checker/places.hpp"

namespace heddle_checker {

namespace {

void* allocate(std::size_t bytes, const void* code) {
  const checker_section guard;
  return checker_in_force->checks().heap.lane_allocates(bytes, code);
}

// False: the C library must free it.
bool was_freed_as_device_memory(void* pointer, const void* code) {
  if (is_lane_code()) {
    const checker_section guard;
    checker_in_force->checks().heap.lane_frees(pointer, code);
    return true;
  }
  return checker_in_force != nullptr &&
         checker_in_force->run().memory.arena.contains(number(pointer));
}

}  // namespace

}  // namespace heddle_checker

using heddle_checker::allocate;
using heddle_checker::is_lane_code;
using heddle_checker::was_freed_as_device_memory;

#define CALLER __builtin_return_address(0)

extern "C" {

void* __real_malloc(std::size_t bytes);
void __real_free(void* pointer);

void* __wrap_malloc(std::size_t bytes) {
  return is_lane_code() ? allocate(bytes, CALLER) : __real_malloc(bytes);
}

void __wrap_free(void* pointer) {
  if (!was_freed_as_device_memory(pointer, CALLER)) __real_free(pointer);
}

}  // extern "C"

namespace {

void* obtain(std::size_t bytes, std::size_t alignment) {
  void* const block =
      alignment <= alignof(std::max_align_t)
          ? __real_malloc(std::max<std::size_t>(bytes, 1))
          : std::aligned_alloc(alignment, (std::max<std::size_t>(bytes, 1) + alignment - 1) /
                                              alignment * alignment);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

}  // namespace

// Blocks in the arena are aligned for any type.
void* operator new(std::size_t bytes) {
  return is_lane_code() ? allocate(bytes, CALLER) : obtain(bytes, 1);
}
void* operator new[](std::size_t bytes) {
  return is_lane_code() ? allocate(bytes, CALLER) : obtain(bytes, 1);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return is_lane_code() ? allocate(bytes, CALLER)
                        : obtain(bytes, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return is_lane_code() ? allocate(bytes, CALLER)
                        : obtain(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* pointer) noexcept {
  if (!was_freed_as_device_memory(pointer, CALLER)) __real_free(pointer);
}
void operator delete[](void* pointer) noexcept {
  if (!was_freed_as_device_memory(pointer, CALLER)) __real_free(pointer);
}
void operator delete(void* pointer, std::size_t) noexcept {
  if (!was_freed_as_device_memory(pointer, CALLER)) __real_free(pointer);
}
void operator delete[](void* pointer, std::size_t) noexcept {
  if (!was_freed_as_device_memory(pointer, CALLER)) __real_free(pointer);
}
void operator delete(void* pointer, std::align_val_t) noexcept {
  if (!was_freed_as_device_memory(pointer, CALLER)) __real_free(pointer);
}
void operator delete[](void* pointer, std::align_val_t) noexcept {
  if (!was_freed_as_device_memory(pointer, CALLER)) __real_free(pointer);
}
void operator delete(void* pointer, std::size_t, std::align_val_t) noexcept {
  if (!was_freed_as_device_memory(pointer, CALLER)) __real_free(pointer);
}
void operator delete[](void* pointer, std::size_t, std::align_val_t) noexcept {
  if (!was_freed_as_device_memory(pointer, CALLER)) __real_free(pointer);
}
