// How many sectors of global memory a request touches, and how many it needs.
#pragma once
#include "request.hpp"

namespace heddle_profiler {

inline constexpr unsigned sector_bytes = 32;

struct sector_cost {
  unsigned sectors;     // different ones that the lanes touch
  unsigned fewest;      // that would hold as many bytes
  unsigned used_bytes;  // different bytes that the lanes ask for
};

sector_cost sectors_of(const request& what);

// Atomic operations: lanes that want the same address come to its sector one after the other, those
// with other addresses of the sector beside them. So a sector counts as often as its busiest
// address has lanes.
unsigned sectors_of_atomics(const request& what);

}  // namespace heddle_profiler
