// How the addresses of a request's lanes lie: who shares one, and how far the next is.
#pragma once
#include <cstdint>

#include "request.hpp"

namespace heddle_profiler {

struct address_sharing {
  unsigned addresses;    // different ones
  unsigned most_on_one;  // lanes
};
address_sharing sharing_of(const request& what);

// Bytes from the first that a lane asks for to the last.
std::uintptr_t span_of(const request& what);

// Bytes from each lane's address to that of the next lane, if that is the same for all.
struct lane_stride {
  bool is_constant;  // and there are two lanes at least
  std::int64_t bytes;
};
lane_stride stride_of(const request& what);

}  // namespace heddle_profiler
