// Reports where a lane exits in a checked program; a no-op elsewhere.
#pragma once

namespace heddle_host {

// The frontend writes these after each `return` of a kernel and at the end of its body.
#ifdef HEDDLE_CHECKED
#ifdef __clang__
[[clang::nomerge]]  // keeps a separate line for each call
#endif
void lane_returns();
void lane_comes_to_end();
#else
[[gnu::always_inline]] inline void lane_returns() {}
[[gnu::always_inline]] inline void lane_comes_to_end() {}
#endif

}  // namespace heddle_host
