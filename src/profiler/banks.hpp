// How often shared memory must be asked for one request, with its 32 banks of 4 bytes.
#pragma once
#include "request.hpp"

namespace heddle_profiler {

inline constexpr unsigned banks = 32;
inline constexpr unsigned bank_bytes = 4;

struct bank_cost {
  unsigned wavefronts;  // one after another
  unsigned fewest;      // if no two lanes wanted different words of one bank
  unsigned ways;        // different words that the busiest bank has to give at a time
};

// Accesses of up to 4 bytes are made by the warp as a whole, those of 8 bytes by one half of it
// after the other, those of 16 bytes by its quarters. Lanes that want the same word share it.
bank_cost banks_of(const request& what);

// Atomic operations: lanes that want the same word wait for each other, too.
bank_cost banks_of_atomics(const request& what);

}  // namespace heddle_profiler
