// Chooses between the two versions of a function that host and device see differently.
#pragma once
#include <heddle_host/lane.hpp>

namespace heddle_host {

// The frontend writes this where a function depends on `__CUDA_ARCH__`. Constants are the host's.
#ifdef HEDDLE_CHECKED
[[gnu::no_sanitize_thread]]
#endif
constexpr bool
is_on_host() {
  return __builtin_is_constant_evaluated() || !in_lane();
}

}  // namespace heddle_host
