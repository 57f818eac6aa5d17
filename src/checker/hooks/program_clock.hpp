// The time that a checked program reads.
#pragma once

namespace heddle_checker {

// From now on clocks go at a third of their speed for the program, except CLOCK_MONOTONIC_RAW and
// those of single threads: what it prints of the time becomes something else, and what its kernels
// compute does not.
void slow_clocks_down();

}  // namespace heddle_checker
