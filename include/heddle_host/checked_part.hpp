// A part of a checked program that is checked for itself, under a schedule of its own.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include <heddle_host/finding.hpp>

namespace heddle_host {

struct checked_part {
  std::vector<finding> findings;
  bool has_failed = false;  // a kernel: each further call of CUDA's ends with its error
};

// How a part is run.
struct part_settings {
  std::string schedule;  // `random`
  std::uint64_t seed = 1;
  bool parts_active_lanes = true;  // false: lanes that ask together who is active are told so
};

// The checker of a checked program. Nothing runs on the device when a part begins or ends.
class part_checker {
 public:
  virtual ~part_checker() = default;
  // Throws std::invalid_argument for a schedule that is not offered, and std::logic_error inside
  // another part.
  virtual void begin_part(const part_settings& wanted) = 0;
  // What was found since, and is not told again when the program ends.
  virtual checked_part end_part() = 0;
};

void offer_parts(part_checker* by);
// Null: the program was not built by `heddle cc --check`.
part_checker* current_part_checker();

}  // namespace heddle_host
