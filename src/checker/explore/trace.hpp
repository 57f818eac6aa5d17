// What one interleaving did, step by step, as far as other lanes can observe.
#pragma once
#include <cstdint>

namespace heddle_checker {

// A set of lanes that access memory others may see, one bit for each.
using lane_set = std::uint64_t;
constexpr unsigned most_explored_lanes = 64;
constexpr lane_set only(unsigned lane) { return lane_set{1} << lane; }

struct footprint {
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
  bool writes = false;
};

// Whether the order of the two matters.
inline bool depend(const footprint& a, const footprint& b) {
  return (a.writes || b.writes) && a.address < b.address + b.bytes &&
         b.address < a.address + a.bytes;
}

enum class happening : unsigned char {
  access,   // the lane has made its next access
  meeting,  // `lanes` have met: what they did before happens before what they do afterwards
  known,    // the end: all that can follow is explored; `lanes` could have run
  left,     // the grid failed before the lane made its pending access
};

struct trace_entry {
  footprint what{};
  lane_set lanes = 0;     // could have run, including this lane
  lane_set spinning = 0;  // would only have polled the same values again
  std::uint8_t lane = 0;
  happening kind = happening::access;
};

// A lane in a sleep set: what would follow its step is already explored. An access that does not
// commute with its own wakes it.
struct sleeper {
  std::uint8_t lane = 0;
  footprint what{};
};

}  // namespace heddle_checker
