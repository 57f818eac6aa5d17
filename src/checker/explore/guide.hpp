// Leads one interleaving: first along a plan, then without needless switches.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "checker/explore/trace.hpp"

namespace heddle_checker {

struct plan {
  std::vector<std::uint8_t> lanes;  // who makes the first steps
  std::vector<sleeper> asleep;      // where the last of them is to be made
};

class guide {
 public:
  explicit guide(plan what) : plan_(std::move(what)) {}

  // Who makes the next step. None: all are asleep, and the rest is not worth running.
  [[nodiscard]] std::optional<unsigned> choose(lane_set able) const;
  // The step is made.
  void went(unsigned lane, const footprint& what);

 private:
  plan plan_;
  std::size_t steps_ = 0;
  std::optional<unsigned> last_;
};

}  // namespace heddle_checker
