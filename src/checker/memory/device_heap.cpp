// malloc, free, new and delete of lanes: blocks of the arena, so that all checks hold for them.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include <heddle_host/fault.hpp>
#include <heddle_host/lane.hpp>

#include "checker/checker.hpp"
#include "checker/hooks/hooks.hpp"
#include "checker/memory/poisons.hpp"
#include "checker/places.hpp"

namespace heddle_checker {

using heddle_host::finding;
using heddle_host::finding_cause;
using heddle_host::finding_kind;

void* checker::lane_allocates(std::size_t bytes, const void* code) {
  void* const block = heddle_host::take_from_arena(bytes);
  if (block == nullptr) return nullptr;
  allocation made;
  made.begin = number(block);
  made.bytes = bytes;
  made.is_of_device_heap = true;
  made.made = {code};
  memory_.begin(made.begin, bytes);
  allocations_.add(std::move(made));
  auto* const first = static_cast<unsigned char*>(block);
  for (std::size_t i = 0; i < bytes; ++i) {
    first[i] = static_cast<unsigned char>(first_poison >> i % 8 * 8);
  }
  standstill_.something_happens();
  return block;
}

void checker::lane_frees(void* pointer, const void* code) {
  if (pointer == nullptr) return;
  allocation* const one = allocations_.find(number(pointer));
  if (one != nullptr && one->is_of_device_heap && one->begin == number(pointer) && !one->is_freed) {
    memory_.end(one->begin, one->bytes);
    one->is_freed = true;
    one->freed = {code};
    standstill_.something_happens();
    return;
  }
  const bool was_freed = one != nullptr && one->is_freed;
  finding wrong{was_freed ? finding_kind::use_after_free : finding_kind::wrong_space,
                cudaErrorIllegalAddress, grid_->kernel->signature,
                was_freed ? finding_cause::freed_twice : finding_cause::not_of_heap};
  wrong.places.push_back(heddle_host::place_of_running_lane(code, true));
  describe({number(pointer), 0, direction::write, strength::plain, {}, {}, code}, wrong);
  collect(std::move(wrong));
}

namespace {

void* allocate(std::size_t bytes, const void* code) {
  const checker_section guard;
  return checker_in_force->lane_allocates(bytes, code);
}

// True: it was not the C library's.
bool was_freed_as_device_memory(void* pointer, const void* code) {
  if (is_lane_code()) {
    const checker_section guard;
    checker_in_force->lane_frees(pointer, code);
    return true;
  }
  return checker_in_force != nullptr && checker_in_force->arena().contains(number(pointer));
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

// The arena's blocks are aligned for any type.
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
