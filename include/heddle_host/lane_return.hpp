// Tells a checked program where a lane ends; elsewhere nothing.
#pragma once

namespace heddle_host {

// Written by the frontend behind each `return` of a kernel, and at the end of its body.
#ifdef HEDDLE_CHECKED
#ifdef __clang__
[[clang::nomerge]]  // each call has a line of its own
#endif
void lane_returns();
void lane_comes_to_end();
#else
[[gnu::always_inline]] inline void lane_returns() {}
[[gnu::always_inline]] inline void lane_comes_to_end() {}
#endif

}  // namespace heddle_host
