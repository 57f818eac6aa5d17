// What a profiled program reports besides its memory accesses; a no-op elsewhere.
#pragma once
#include <cstddef>

namespace heddle_host {

#ifdef HEDDLE_PROFILED
// The running lane resumes after a warp operation or barrier.
void lane_has_met();
// Everything the running lane does between these two is one atomic operation.
void begin_update(const volatile void* address, std::size_t bytes);
void end_update();
#else
inline void lane_has_met() {}
inline void begin_update(const volatile void*, std::size_t) {}
inline void end_update() {}
#endif

}  // namespace heddle_host
