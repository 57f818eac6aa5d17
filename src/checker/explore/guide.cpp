// Leads one interleaving: first along a plan, then without needless switches.
#include "checker/explore/guide.hpp"

#include <bit>

namespace heddle_checker {

std::optional<unsigned> guide::choose(lane_set able) const {
  if (steps_ < plan_.lanes.size()) {
    const unsigned planned = plan_.lanes[steps_];
    if (able & only(planned)) return planned;  // otherwise the search sees it in the trace
  }
  for (const sleeper& one : plan_.asleep) able &= ~only(one.lane);
  if (able == 0) return std::nullopt;
  if (last_ && able & only(*last_)) return last_;
  return static_cast<unsigned>(std::countr_zero(able));
}

bool guide::is_known(std::span<const trace_entry> trace, lane_set able, lane_set spinning) {
  if (known_ == nullptr) return false;
  for (; followed_ < trace.size(); ++followed_) order_.add(trace[followed_], conflicts_);
  if (steps_ < plan_.lanes.size()) return false;  // no state along the plan is explored yet
  return known_->has(order_.state(able, spinning), order_.preemptions());
}

void guide::went(unsigned lane, const footprint& what) {
  last_ = lane;
  ++steps_;
  if (steps_ < plan_.lanes.size()) return;
  std::erase_if(plan_.asleep,
                [&](const sleeper& one) { return one.lane == lane || depend(one.what, what); });
}

}  // namespace heddle_checker
