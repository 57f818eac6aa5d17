// Checks a part of the program separately, so that its findings stay out of the whole program's.
#include <stdexcept>
#include <utility>

#include "checker/checker.hpp"

namespace heddle_checker {

void checker::begin_part(const heddle_host::part_settings& wanted) {
  if (around_part_) {
    throw std::logic_error("heddle: a part of the program is already being checked");
  }
  settings how;
  how.schedule = wanted.schedule;
  how.seed = wanted.seed;
  how.parts_active_lanes = wanted.parts_active_lanes;
  if (how.schedule == "exhaustive" || run_.explores()) {
    throw std::logic_error("heddle: `exhaustive` explores whole programs, not parts of them");
  }
  settings usual = run_.how;
  run_as(std::move(how));
  around_part_ =
      whole_program{std::move(usual), run_.found.replace({}), checks_.spaces.replace_known({}),
                    std::exchange(run_.has_failed, false)};
  run_.races.forget_races();
  checks_.leaks.begin_part();
}

heddle_host::checked_part checker::end_part() {
  checks_.streams.end_host_action();
  checks_.leaks.report();
  whole_program& outside = *around_part_;
  const collector found = run_.found.replace(std::move(outside.found));
  heddle_host::checked_part part{{found.findings().begin(), found.findings().end()},
                                 run_.has_failed};
  checks_.spaces.replace_known(std::move(outside.known_foreign));
  run_.has_failed = outside.has_failed;
  checks_.leaks.end_part();
  run_as(std::move(outside.how));
  run_.races.forget_races();
  around_part_.reset();
  return part;
}

}  // namespace heddle_checker
