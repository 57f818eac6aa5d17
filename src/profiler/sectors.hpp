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

}  // namespace heddle_profiler
