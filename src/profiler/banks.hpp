// Counts how many wavefronts a request to shared memory takes, with 32 banks of 4 bytes.
#pragma once
#include "request.hpp"

namespace heddle_profiler {

inline constexpr unsigned banks = 32;
inline constexpr unsigned bank_bytes = 4;

struct bank_cost {
  unsigned wavefronts;  // passes over shared memory
  unsigned fewest;      // without bank conflicts
  unsigned ways;        // distinct words that the busiest bank delivers
};

// Accesses of up to 4 bytes are served for the whole warp at once, those of 8 bytes for each half
// in turn, those of 16 bytes for each quarter. Lanes that read the same word share it.
bank_cost banks_of(const request& what);

// For atomic operations, lanes on the same word also wait for each other.
bank_cost banks_of_atomics(const request& what);

}  // namespace heddle_profiler
