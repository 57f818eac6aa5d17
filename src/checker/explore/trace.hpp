// What one interleaving did, step by step, as far as others could notice.
#pragma once
#include <cstdint>

namespace heddle_checker {

// Lanes that touch memory others may see, one bit for each.
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
  meeting,  // `lanes` have met; what they did before comes before what they do behind it
  known,    // nothing more: what can follow is explored, for `lanes` that could have gone on
  left,     // the grid has failed, and the lane never came to the access that it stood before
};

struct trace_entry {
  footprint what{};
  lane_set lanes = 0;     // that could have gone on instead, the lane itself among them
  lane_set spinning = 0;  // that would only have looked again at what they knew
  std::uint8_t lane = 0;
  happening kind = happening::access;
};

// A lane that need not be the next one: what would follow is explored already. It is woken by an
// access that does not commute with its own.
struct sleeper {
  std::uint8_t lane = 0;
  footprint what{};
};

}  // namespace heddle_checker
