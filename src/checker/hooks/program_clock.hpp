// The time that a checked program reads.
#pragma once

namespace heddle_checker {

// From now on the program's clocks run at a third of their speed, except CLOCK_MONOTONIC_RAW and
// per-thread clocks. Times that the program prints change; what its kernels compute does not.
void slow_clocks_down();

}  // namespace heddle_checker
