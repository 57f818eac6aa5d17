// Passes calls that the compiler inserted on to the checker.
#pragma once
#include <cstddef>
#include <cstdint>

#include <heddle_host/lane.hpp>

#include "checker/checker.hpp"
#include "checker/lane_accesses.hpp"
#include "checker/places.hpp"

namespace heddle_checker {

[[gnu::always_inline]] inline access access_to(const volatile void* address, std::size_t bytes,
                                               direction way, strength how, const void* code,
                                               scope reach = scope::system,
                                               order ordering = order::relaxed) {
  return {reinterpret_cast<std::uintptr_t>(address),
          static_cast<unsigned>(bytes),
          way,
          how,
          reach,
          ordering,
          code,
          nullptr};
}

// Whether the running lane's own code makes the call. The program and the runtime may share one
// linked copy of a C++ library template, and that copy may be instrumented. Calls by the runtime
// are not the lane's.
[[gnu::always_inline]] inline bool is_lane_code() {
  return heddle_host::in_lane() && heddle_host::lane_now.may_be_preempted &&
         checker_in_force != nullptr;
}

// Takes a copy: if the address of an access were passed on, touch() could not treat the access's
// direction and strength as constants, and would be three times as long.
[[gnu::noinline]] inline void use_undefined_on_host(checker& who, access what) {
  const ticket_lock_guard locked(who.run().mutex_for_host());
  who.checks().undefined.host_uses(what);
}

// Passes on one access. Unless `happens_now`, other lanes may run first.
[[gnu::always_inline]] inline void touch(const access& what, bool happens_now = false) {
  checker* const who = checker_in_force;
  if (__builtin_expect(who == nullptr, 0)) return;
  if (__builtin_expect(!heddle_host::in_lane(), 0)) {
    if (heddle_host::machine_copies) return;
    if (who->watches_host_at(what.address)) who->host_touches(what);
    if (what.way == direction::read &&
        who->checks().undefined.may_be_undefined_on_host(what.address)) {
      use_undefined_on_host(*who, what);
    }
    return;
  }
  if (__builtin_expect(!heddle_host::lane_now.may_be_preempted, 0)) return;
  if (__builtin_expect(who->run().memory.arena.contains(what.address), 1)) {
    if (!happens_now) who->turns().pass(what);
    const checker_section guard;
    who->follow_step(what);
    who->lane_touches(what);
  } else if (!who->run().memory.is_private(what.address)) {
    if (!happens_now && who->run().memory.is_variable(what.address)) who->turns().pass(what);
    const checker_section guard;
    who->follow_step(what);
    who->lane_touches_other_memory(what);
  }
}

// In pieces of at most 16 bytes, none of which crosses a 16-byte boundary.
[[gnu::noinline]] inline void touch_range(const void* address, std::size_t bytes, direction way,
                                          const void* code) {
  const char* piece = static_cast<const char*>(address);
  while (bytes > 0) {
    const std::size_t room = 16 - reinterpret_cast<std::uintptr_t>(piece) % 16;
    const std::size_t size = bytes < room ? bytes : room;
    touch(access_to(piece, size, way, strength::plain, code));
    piece += size;
    bytes -= size;
  }
}

}  // namespace heddle_checker
