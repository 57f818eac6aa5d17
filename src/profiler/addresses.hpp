// Describes the addresses of a request's lanes: which are shared, and the stride between lanes.
#pragma once
#include <cstdint>

#include "request.hpp"

namespace heddle_profiler {

struct address_sharing {
  unsigned addresses;    // distinct ones
  unsigned most_on_one;  // lanes on the busiest address
};
address_sharing sharing_of(const request& what);

// Bytes from the first to the last that any lane accesses.
std::uintptr_t span_of(const request& what);

// Bytes from each lane's address to the next lane's, if this is the same for all lanes.
struct lane_stride {
  bool is_constant;  // and there are at least two lanes
  std::int64_t bytes;
};
lane_stride stride_of(const request& what);

}  // namespace heddle_profiler
