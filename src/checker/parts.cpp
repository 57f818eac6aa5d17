// Parts of the program that are checked for themselves: their findings are not the whole program's.
#include <stdexcept>
#include <utility>

#include "checker/checker.hpp"

namespace heddle_checker {

void checker::begin_part(const heddle_host::part_settings& wanted) {
  if (around_part_) {
    throw std::logic_error("heddle: a part of the program is being checked already");
  }
  settings how;
  how.schedule = wanted.schedule;
  how.seed = wanted.seed;
  how.parts_active_lanes = wanted.parts_active_lanes;
  if (how.schedule == "exhaustive" || explored_ != nullptr) {
    throw std::logic_error("heddle: `exhaustive` explores whole programs, not parts of them");
  }
  settings usual = how_;
  run_as(std::move(how));
  around_part_ =
      whole_program{std::move(usual), std::exchange(found_, {}), std::exchange(known_foreign_, {}),
                    std::exchange(has_failed_, false), kept_};
  races_.forget_races();
  allocations_.for_each([&](const allocation& one) {
    if (!one.is_freed) kept_.insert(reinterpret_cast<const void*>(one.begin));
  });
  for (const auto& [handle, one] : handles_) {
    if (one.ended.empty()) kept_.insert(handle);
  }
}

heddle_host::checked_part checker::end_part() {
  end_host_action();
  report_leaks();
  heddle_host::checked_part part{{found_.findings().begin(), found_.findings().end()}, has_failed_};
  whole_program& outside = *around_part_;
  found_ = std::move(outside.found);
  known_foreign_ = std::move(outside.known_foreign);
  has_failed_ = outside.has_failed;
  // What the part has left behind was told, and what was there before is still to be given back.
  std::set<const void*> kept = std::move(outside.kept);
  allocations_.for_each([&](const allocation& one) {
    const auto* const begin = reinterpret_cast<const void*>(one.begin);
    if (!one.is_freed && !kept_.contains(begin)) kept.insert(begin);
  });
  for (const auto& [handle, one] : handles_) {
    if (one.ended.empty() && !kept_.contains(handle)) kept.insert(handle);
  }
  kept_ = std::move(kept);
  run_as(std::move(outside.how));
  races_.forget_races();
  around_part_.reset();
  return part;
}

}  // namespace heddle_checker
