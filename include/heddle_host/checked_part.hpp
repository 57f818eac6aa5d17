// Checks one part of a checked program separately, under its own schedule.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include <heddle_host/finding.hpp>

namespace heddle_host {

struct checked_part {
  std::vector<finding> findings;
  bool has_failed = false;  // a kernel failed: all later CUDA calls return its error
};

// How to run a part.
struct part_settings {
  std::string schedule;  // such as `random`
  std::uint64_t seed = 1;
  bool parts_active_lanes = true;  // false: lanes that ask together who is active all see each
                                   // other
};

// The checker of a checked program. The device is idle whenever a part begins or ends.
class part_checker {
 public:
  virtual ~part_checker() = default;
  // Throws std::invalid_argument for an unknown schedule, std::logic_error inside another part.
  virtual void begin_part(const part_settings& wanted) = 0;
  // The findings of this part; they are not reported again when the program exits.
  virtual checked_part end_part() = 0;
};

void offer_parts(part_checker* by);
// Null if the program was not built with `heddle cc --check`.
part_checker* current_part_checker();

}  // namespace heddle_host
