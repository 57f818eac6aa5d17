// The functions that -fsanitize=thread, -fsanitize-coverage and the stand-in headers make a
// profiled program call.
#include <cstring>

#include <heddle_host/declared.hpp>
#include <heddle_host/profiled.hpp>
#include <heddle_host/progress.hpp>

#include "profiler.hpp"

#define CALLER __builtin_return_address(0)

namespace heddle_profiler {
namespace {

[[gnu::always_inline]] inline void touch(const volatile void* address, std::size_t bytes,
                                         operation what, const void* code) {
  if (!is_lane_code()) return;
  const profiler_section guard;
  profiler_in_force->lane_touches(reinterpret_cast<std::uintptr_t>(address), bytes, what, code);
  profiler_in_force->take_turns(code);
}

void touch_range(const void* address, std::size_t bytes, operation what, const void* code) {
  if (!is_lane_code()) return;
  const profiler_section guard;
  profiler_in_force->lane_touches_range(reinterpret_cast<std::uintptr_t>(address), bytes, what,
                                        code);
  profiler_in_force->take_turns(code);
}

void compare(const void* code) {
  if (is_lane_code()) profiler_in_force->lane_compares(code);
}

}  // namespace
}  // namespace heddle_profiler

using heddle_profiler::compare;
using heddle_profiler::is_lane_code;
using heddle_profiler::operation;
using heddle_profiler::profiler_in_force;
using heddle_profiler::profiler_section;
using heddle_profiler::touch;
using heddle_profiler::touch_range;

#define HOOKS(bytes)                                                                           \
  void __tsan_read##bytes(void* address) { touch(address, bytes, operation::load, CALLER); }   \
  void __tsan_write##bytes(void* address) { touch(address, bytes, operation::store, CALLER); } \
  void __tsan_unaligned_read##bytes(void* address) {                                           \
    touch(address, bytes, operation::load, CALLER);                                            \
  }                                                                                            \
  void __tsan_unaligned_write##bytes(void* address) {                                          \
    touch(address, bytes, operation::store, CALLER);                                           \
  }

extern "C" {

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
// Accesses to the vtable pointer of an object.
void __tsan_vptr_update(void** address, void*) {
  touch(address, sizeof(void*), operation::store, CALLER);
}
void __tsan_vptr_read(void** address) { touch(address, sizeof(void*), operation::load, CALLER); }

HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)

void __tsan_read_range(void* address, std::size_t bytes) {
  touch_range(address, bytes, operation::load, CALLER);
}
void __tsan_write_range(void* address, std::size_t bytes) {
  touch_range(address, bytes, operation::store, CALLER);
}

// The linker redirects the program's calls of the C library to these wrappers.
void* __real_memcpy(void* to, const void* from, std::size_t bytes);
void* __real_memmove(void* to, const void* from, std::size_t bytes);
void* __real_memset(void* to, int value, std::size_t bytes);
void* __real___memcpy_chk(void* to, const void* from, std::size_t bytes, std::size_t room);
void* __real___memmove_chk(void* to, const void* from, std::size_t bytes, std::size_t room);
void* __real___memset_chk(void* to, int value, std::size_t bytes, std::size_t room);

void* __wrap_memcpy(void* to, const void* from, std::size_t bytes) {
  touch_range(from, bytes, operation::load, CALLER);
  touch_range(to, bytes, operation::store, CALLER);
  return __real_memcpy(to, from, bytes);
}
void* __wrap_memmove(void* to, const void* from, std::size_t bytes) {
  touch_range(from, bytes, operation::load, CALLER);
  touch_range(to, bytes, operation::store, CALLER);
  return __real_memmove(to, from, bytes);
}
void* __wrap_memset(void* to, int value, std::size_t bytes) {
  touch_range(to, bytes, operation::store, CALLER);
  return __real_memset(to, value, bytes);
}

// With _FORTIFY_SOURCE, the compiler passes the size of the destination.
void* __wrap___memcpy_chk(void* to, const void* from, std::size_t bytes, std::size_t room) {
  touch_range(from, bytes, operation::load, CALLER);
  touch_range(to, bytes, operation::store, CALLER);
  return __real___memcpy_chk(to, from, bytes, room);
}
void* __wrap___memmove_chk(void* to, const void* from, std::size_t bytes, std::size_t room) {
  touch_range(from, bytes, operation::load, CALLER);
  touch_range(to, bytes, operation::store, CALLER);
  return __real___memmove_chk(to, from, bytes, room);
}
void* __wrap___memset_chk(void* to, int value, std::size_t bytes, std::size_t room) {
  touch_range(to, bytes, operation::store, CALLER);
  return __real___memset_chk(to, value, bytes, room);
}

// Called at the start of each source block.
void __sanitizer_cov_trace_pc() {
  if (!is_lane_code()) return;
  const profiler_section guard;
  profiler_in_force->lane_enters_block(CALLER);
  profiler_in_force->take_turns(CALLER);
}

// Called at each comparison. The branch at the end of a block depends on its last comparison.
void __sanitizer_cov_trace_cmp1(std::uint8_t, std::uint8_t) { compare(CALLER); }
void __sanitizer_cov_trace_cmp2(std::uint16_t, std::uint16_t) { compare(CALLER); }
void __sanitizer_cov_trace_cmp4(std::uint32_t, std::uint32_t) { compare(CALLER); }
void __sanitizer_cov_trace_cmp8(std::uint64_t, std::uint64_t) { compare(CALLER); }
void __sanitizer_cov_trace_const_cmp1(std::uint8_t, std::uint8_t) { compare(CALLER); }
void __sanitizer_cov_trace_const_cmp2(std::uint16_t, std::uint16_t) { compare(CALLER); }
void __sanitizer_cov_trace_const_cmp4(std::uint32_t, std::uint32_t) { compare(CALLER); }
void __sanitizer_cov_trace_const_cmp8(std::uint64_t, std::uint64_t) { compare(CALLER); }
void __sanitizer_cov_trace_cmpf(float, float) { compare(CALLER); }
void __sanitizer_cov_trace_cmpd(double, double) { compare(CALLER); }
void __sanitizer_cov_trace_switch(std::uint64_t, const std::uint64_t*) { compare(CALLER); }

}  // extern "C"

namespace heddle_host {

void lane_has_met() {
  if (!is_lane_code()) return;
  const profiler_section guard;
  profiler_in_force->lane_has_met(CALLER);
}

void begin_update(const volatile void* address, std::size_t bytes) {
  if (!is_lane_code()) return;
  const profiler_section guard;
  profiler_in_force->begin_update(reinterpret_cast<std::uintptr_t>(address), bytes, CALLER);
}

void end_update() {
  if (is_lane_code()) profiler_in_force->end_update();
}

// Defined here and not in the headers, so that the runtime's branches are not counted.
void spin_hint() {
  if (in_lane() && --lane_now.spin_budget == 0) yield();
}
void spin_hint_unless(bool found_something) {
  if (!found_something) spin_hint();
}

void declare_variable(const variable_declaration& what) {
  if (profiler_in_force == nullptr) return;
  profiler_in_force->add_variable(reinterpret_cast<std::uintptr_t>(what.address), what.bytes);
}

}  // namespace heddle_host
