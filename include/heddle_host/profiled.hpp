// What a profiled program tells besides its accesses to memory; elsewhere nothing.
#pragma once
#include <cstddef>

namespace heddle_host {

#ifdef HEDDLE_PROFILED
// The running lane goes on behind a meeting.
void lane_has_met();
// What the running lane does in between is one atomic operation.
void begin_update(const volatile void* address, std::size_t bytes);
void end_update();
#else
inline void lane_has_met() {}
inline void begin_update(const volatile void*, std::size_t) {}
inline void end_update() {}
#endif

}  // namespace heddle_host
