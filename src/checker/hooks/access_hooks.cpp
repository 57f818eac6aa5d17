// Defines the functions that -fsanitize=thread calls for plain and volatile accesses, and wraps the
// C library's copies.
#include "checker/hooks/hooks.hpp"

#include <cstring>

#include <heddle_host/arena.hpp>
#include <heddle_host/progress.hpp>

#include "checker/hooks/entry_caller.hpp"

using heddle_checker::access_to;
using heddle_checker::direction;
using heddle_checker::strength;
using heddle_checker::touch;
using heddle_checker::touch_range;

#define CALLER __builtin_return_address(0)

namespace {

template <unsigned bytes, direction way>
[[gnu::noinline]] void touch_slowly(const void* address, const void* code) {
  touch(access_to(address, bytes, way, strength::plain, code));
}

template <unsigned bytes, direction way>
[[gnu::always_inline]] inline void touch_plain(const void* address, const void* code) {
  heddle_checker::checker* const who = heddle_checker::checker_in_force;
  if (who == nullptr) [[unlikely]]
    return;
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  if (who->lane_touches_quickly(place, bytes, way, code)) [[likely]]
    return;
  touch_slowly<bytes, way>(address, code);
}

// A volatile access may be part of a hand-made atomic, so the value it reads is recorded too.
void touch_volatile(const void* address, unsigned bytes, direction way, const void* code) {
  if (heddle_checker::other_memory::is_known_of_thread(reinterpret_cast<std::uintptr_t>(address)) &&
      heddle_host::in_lane()) {
    return;  // thread-local data of the runtime
  }
  auto what = access_to(address, bytes, way, strength::relaxed_volatile, code);
  heddle_checker::late_value late;
  what.late = &late;
  if (heddle_checker::checker_in_force != nullptr && !heddle_host::in_lane() &&
      heddle_checker::host_may_wait_for_others()) {
    heddle_checker::checker_in_force->checks().host.host_polls();
  }
  if (way == direction::read && heddle_checker::is_lane_code() &&
      heddle_checker::checker_in_force->checks().stalls.lane_should_yield()) {
    heddle_host::yield();
  }
  touch(what);
  if (way != direction::read || bytes > 8 || !heddle_checker::is_lane_code()) return;
  const heddle_checker::checker_section guard;
  if (late.seen) {
    heddle_checker::checker_in_force->run().weak.substituted.substitute(what.address, bytes,
                                                                        *late.seen);
  }
  heddle_checker::checker_in_force->checks().races.lane_loads_unfenced(what);
  std::uint64_t held = 0;
  std::memcpy(&held, address, bytes);
  heddle_checker::checker_in_force->checks().aba.lane_changes(what, held, held, false);
  heddle_checker::checker_in_force->lane_polls_or_changes(what, false);
}

}  // namespace

#define HOOKS(bytes)                                                    \
  void __tsan_read##bytes(void* address) {                              \
    touch_plain<bytes, direction::read>(address, HEDDLE_ENTRY_CALLER);  \
  }                                                                     \
  void __tsan_write##bytes(void* address) {                             \
    touch_plain<bytes, direction::write>(address, HEDDLE_ENTRY_CALLER); \
  }                                                                     \
  void __tsan_unaligned_read##bytes(void* address) {                    \
    touch_range(address, bytes, direction::read, CALLER);               \
  }                                                                     \
  void __tsan_unaligned_write##bytes(void* address) {                   \
    touch_range(address, bytes, direction::write, CALLER);              \
  }                                                                     \
  void __tsan_volatile_read##bytes(void* address) {                     \
    touch_volatile(address, bytes, direction::read, CALLER);            \
  }                                                                     \
  void __tsan_volatile_write##bytes(void* address) {                    \
    touch_volatile(address, bytes, direction::write, CALLER);           \
  }                                                                     \
  void __tsan_unaligned_volatile_read##bytes(void* address) {           \
    touch_range(address, bytes, direction::read, CALLER);               \
  }                                                                     \
  void __tsan_unaligned_volatile_write##bytes(void* address) {          \
    touch_range(address, bytes, direction::write, CALLER);              \
  }

extern "C" {

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
// The pointer to an object's table of virtual functions.
void __tsan_vptr_update(void** address, void*) {
  touch_plain<sizeof(void*), direction::write>(address, HEDDLE_ENTRY_CALLER);
}
void __tsan_vptr_read(void** address) {
  touch_plain<sizeof(void*), direction::read>(address, HEDDLE_ENTRY_CALLER);
}

HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)

void __tsan_read_range(void* address, std::size_t bytes) {
  touch_range(address, bytes, direction::read, CALLER);
}
void __tsan_write_range(void* address, std::size_t bytes) {
  touch_range(address, bytes, direction::write, CALLER);
}

// Handlers: -fsanitize=alignment calls the first for a misaligned pointer, -fsanitize=bounds the
// second for an index outside its array. The struct layouts are those of gcc and clang.
struct place_in_source {
  const char* file;
  std::uint32_t line, column;
};
struct type_name {
  std::uint16_t kind, details;
  char text[1];
};
struct mismatch {
  place_in_source place;
  const type_name* type;
  unsigned char log_of_alignment;
  unsigned char kind;
};
void __ubsan_handle_type_mismatch_v1(const mismatch* what, std::uintptr_t pointer) {
  if (heddle_checker::checker_in_force == nullptr) return;
  const heddle_checker::checker_section guard;
  constexpr unsigned char store = 1;
  heddle_checker::checker_in_force->checks().alignment.pointer_is_misaligned(
      pointer, 1u << what->log_of_alignment,
      what->kind == store ? direction::write : direction::read, CALLER);
}

struct left_array {
  place_in_source place;
  const type_name* array;
  const type_name* index;
};
void __ubsan_handle_out_of_bounds(const left_array* what, std::uintptr_t index) {
  if (heddle_checker::checker_in_force == nullptr) return;
  const heddle_checker::checker_section guard;
  heddle_checker::checker_in_force->checks().bounds.index_leaves_array(
      what->array->text, static_cast<std::intptr_t>(index), CALLER);
}

// The linker redirects the program's calls of these C library functions to the wrappers below.
void* __real_memcpy(void* to, const void* from, std::size_t bytes);
void* __real_memmove(void* to, const void* from, std::size_t bytes);
void* __real_memset(void* to, int value, std::size_t bytes);
void* __real___memcpy_chk(void* to, const void* from, std::size_t bytes, std::size_t room);
void* __real___memmove_chk(void* to, const void* from, std::size_t bytes, std::size_t room);
void* __real___memset_chk(void* to, int value, std::size_t bytes, std::size_t room);

// Counts copies by a lane's own code or by the host's, not the runtime's own.
static void touch_for_copy(const void* address, std::size_t bytes, direction way,
                           const void* code) {
  if (heddle_host::in_lane()) {
    if (heddle_host::lane_now.may_be_preempted) touch_range(address, bytes, way, code);
    return;
  }
  heddle_checker::checker* const who = heddle_checker::checker_in_force;
  if (who == nullptr || heddle_host::machine_copies || bytes == 0) return;
  const auto what = access_to(address, bytes, way, strength::plain, code);
  if (who->watches_host_at(what.address)) who->host_touches(what);
}

// Copies of undefined bytes are undefined too. A copy by the host does not count as a use.
static void copy_on_host(void* to, const void* from, std::size_t bytes) {
  heddle_checker::checker* const who = heddle_checker::checker_in_force;
  if (who == nullptr || heddle_host::in_lane() || heddle_host::machine_copies) return;
  const auto first = reinterpret_cast<std::uintptr_t>(from);
  if (bytes == 0 || !(who->checks().undefined.may_be_undefined_on_host(first) ||
                      who->checks().undefined.may_be_undefined_on_host(first + bytes - 1))) {
    return;
  }
  const heddle_checker::ticket_lock_guard locked(who->run().mutex_for_host());
  who->checks().undefined.host_copies(reinterpret_cast<std::uintptr_t>(to), first, bytes);
}

static void copy_bytes(void* to, const void* from, std::size_t bytes, const void* code) {
  touch_for_copy(from, bytes, direction::read, code);
  touch_for_copy(to, bytes, direction::write, code);
  copy_on_host(to, from, bytes);
}

void* __wrap_memcpy(void* to, const void* from, std::size_t bytes) {
  copy_bytes(to, from, bytes, CALLER);
  return __real_memcpy(to, from, bytes);
}
void* __wrap_memmove(void* to, const void* from, std::size_t bytes) {
  copy_bytes(to, from, bytes, CALLER);
  return __real_memmove(to, from, bytes);
}
void* __wrap_memset(void* to, int value, std::size_t bytes) {
  touch_for_copy(to, bytes, direction::write, CALLER);
  return __real_memset(to, value, bytes);
}

// With _FORTIFY_SOURCE the compiler passes the size of the destination.
void* __wrap___memcpy_chk(void* to, const void* from, std::size_t bytes, std::size_t room) {
  copy_bytes(to, from, bytes, CALLER);
  return __real___memcpy_chk(to, from, bytes, room);
}
void* __wrap___memmove_chk(void* to, const void* from, std::size_t bytes, std::size_t room) {
  copy_bytes(to, from, bytes, CALLER);
  return __real___memmove_chk(to, from, bytes, room);
}
void* __wrap___memset_chk(void* to, int value, std::size_t bytes, std::size_t room) {
  touch_for_copy(to, bytes, direction::write, CALLER);
  return __real___memset_chk(to, value, bytes, room);
}

}  // extern "C"
