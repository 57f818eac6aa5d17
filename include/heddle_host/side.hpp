// Chooses between the two versions of a function that host and device see differently.
#pragma once
#include <heddle_host/lane.hpp>

namespace heddle_host {

// The frontend writes one of these where the two sides have different bodies. In constants,
// is_on_host() is true, since the device's body may use functions that constants cannot.
// is_on_host_at_run_time() is for functions without parameters, whose bodies say what the side is
// like: a constant in a kernel must be the device's. (The name of the macro by which they differ
// must not stand here: every program reads this file, and would be preprocessed twice.)
#ifdef HEDDLE_CHECKED
[[gnu::no_sanitize_thread]]
#endif
constexpr bool
is_on_host() {
  return __builtin_is_constant_evaluated() || !in_lane();
}

#ifdef HEDDLE_CHECKED
[[gnu::no_sanitize_thread]]
#endif
constexpr bool
is_on_host_at_run_time() {
  return !__builtin_is_constant_evaluated() && !in_lane();
}

}  // namespace heddle_host
