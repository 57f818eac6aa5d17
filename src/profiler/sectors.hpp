// Counts the sectors of global memory that a request touches, and how many it needs.
#pragma once
#include "request.hpp"

namespace heddle_profiler {

inline constexpr unsigned sector_bytes = 32;

struct sector_cost {
  unsigned sectors;     // distinct ones that the lanes touch
  unsigned fewest;      // that would hold as many bytes
  unsigned used_bytes;  // distinct bytes that the lanes access
};

sector_cost sectors_of(const request& what);

// For atomic operations, lanes on the same address visit its sector one after another; lanes on
// other addresses of the sector go along. So a sector counts as often as its busiest address has
// lanes.
unsigned sectors_of_atomics(const request& what);

}  // namespace heddle_profiler
