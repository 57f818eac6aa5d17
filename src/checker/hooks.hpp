// From a call of the compiler's to the checker.
#pragma once
#include <cstddef>
#include <cstdint>

#include <heddle_host/lane.hpp>

#include "checker.hpp"

namespace heddle_checker {

// What the machine calls a scope, as the race detector calls it.
inline scope reach_of(heddle_host::memory_scope whom) {
  switch (whom) {
    case heddle_host::memory_scope::block:
      return scope::block;
    case heddle_host::memory_scope::cluster:
      return scope::cluster;
    case heddle_host::memory_scope::device:
      return scope::device;
    case heddle_host::memory_scope::system:
      break;
  }
  return scope::system;
}

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

// While the checker works for a lane, its own copies are not the lane's.
class checker_section {
 public:
  checker_section() : was_lane_code_(heddle_host::lane_now.may_be_preempted) {
    heddle_host::leave_lane_code();
  }
  ~checker_section() {
    if (was_lane_code_) heddle_host::enter_lane_code();
  }
  checker_section(const checker_section&) = delete;
  checker_section& operator=(const checker_section&) = delete;

 private:
  bool was_lane_code_;
};

// Whether the running lane's own code asks. A function template of the C++ library that the program
// and the machine both use is linked once, and that may be the watched copy: what the machine does
// with it is not the lane's.
[[gnu::always_inline]] inline bool is_lane_code() {
  return heddle_host::in_lane() && heddle_host::lane_now.may_be_preempted &&
         checker_in_force != nullptr;
}

// An access that happens now: nobody comes in between.
[[gnu::always_inline]] inline void touch_now(const access& what) {
  checker* const who = checker_in_force;
  if (__builtin_expect(who == nullptr, 0)) return;
  const bool is_in_arena = who->arena().contains(what.address);
  if (__builtin_expect(heddle_host::in_lane(), 1)) {
    if (!heddle_host::lane_now.may_be_preempted) return;
    const checker_section guard;
    who->follow_step(what);
    if (__builtin_expect(is_in_arena, 1)) {
      who->lane_touches(what);
    } else {
      who->lane_touches_other_memory(what);
    }
  } else if (who->watches_host_at(what.address) && !heddle_host::machine_copies) {
    who->host_touches(what);
  }
}

// The schedule may first let others run.
[[gnu::always_inline]] inline void touch(const access& what) {
  if (__builtin_expect(is_lane_code(), 1)) {
    checker_in_force->let_others_run(what.address, what.bytes, what.way == direction::read,
                                     what.how != strength::plain, what.code);
  }
  touch_now(what);
}

// In pieces of 16 bytes at most, none of which crosses such a boundary.
inline void touch_range(const void* address, std::size_t bytes, direction way, const void* code) {
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
