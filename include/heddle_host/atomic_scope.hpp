// Tells a checked or profiled program whom an atomic operation is meant for; elsewhere nothing.
#pragma once
#include <heddle_host/lane.hpp>

namespace heddle_host {

// As long as it lives, atomic operations of the running lane are meant for these threads; without
// one, for those of the device.
class atomic_scope {
 public:
#if defined(HEDDLE_CHECKED) || defined(HEDDLE_PROFILED)
  explicit atomic_scope(memory_scope scope) { lane_now.atomic_scope = scope; }
  ~atomic_scope() { lane_now.atomic_scope = memory_scope::device; }
#else
  explicit atomic_scope(memory_scope) {}
#endif
  atomic_scope(const atomic_scope&) = delete;
  atomic_scope& operator=(const atomic_scope&) = delete;
};

}  // namespace heddle_host
