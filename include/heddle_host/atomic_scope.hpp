// Gives a checked or profiled program the scope of an atomic operation; a no-op elsewhere.
#pragma once
#include <heddle_host/lane.hpp>

namespace heddle_host {

// While this object lives, the running lane's atomic operations have this scope; otherwise they
// have device scope.
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
