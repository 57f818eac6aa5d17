// Leads one interleaving: first along a plan, then without needless switches.
#include "checker/explore/guide.hpp"

#include <bit>

namespace heddle_checker {

std::optional<unsigned> guide::choose(lane_set able) const {
  if (steps_ < plan_.lanes.size()) {
    const unsigned planned = plan_.lanes[steps_];
    if (able & only(planned)) return planned;  // else the search will see it in the trace
  }
  for (const sleeper& one : plan_.asleep) able &= ~only(one.lane);
  if (able == 0) return std::nullopt;
  if (last_ && able & only(*last_)) return last_;
  return static_cast<unsigned>(std::countr_zero(able));
}

void guide::went(unsigned lane, const footprint& what) {
  last_ = lane;
  ++steps_;
  if (steps_ < plan_.lanes.size()) return;
  std::erase_if(plan_.asleep,
                [&](const sleeper& one) { return one.lane == lane || depend(one.what, what); });
}

}  // namespace heddle_checker
