// Lets a program run all its interleavings, and gathers what they show.
#include <report/exploration.hpp>

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "check_session.hpp"

namespace heddle::cli {

using heddle_report::check_report;
using heddle_report::found;

checked_run check_session::run_exploration(const schedule_plan& plan) {
  const std::filesystem::path file = folder_ / "findings";
  const std::filesystem::path progress_file = folder_ / "findings.progress";
  progress_line progress;
  child_request request{program_, words_, {}, true, shown_on_};
  request.settings = usual_settings({"exhaustive", 1, {}}, {}, file);
  if (plan.preemptions()) request.settings += fmt::format(" preemptions={}", *plan.preemptions());
  if (plan.seconds()) {
    request.settings += fmt::format(" milliseconds={}", std::llround(*plan.seconds() * 1000));
  }
  request.while_it_runs = [&] {
    const auto now = heddle_report::read_run_record(progress_file).explored;
    if (now) {
      progress.show(heddle_report::progress_of(*now) +
                    fmt::format(", {} finding{}", now->findings.size(),
                                now->findings.size() == 1 ? "" : "s"));
    }
  };
  checked_run done;
  done.outcome = run_checked_child(request, input_);
  done.record = heddle_report::read_run_record(file);
  return done;
}

// What is a defect only if it matters is judged by the interleaving that showed it first.
void check_session::take_explored(const checked_run& all) {
  std::set<std::string> judged;
  for (const found& what : all.record.findings) {
    const schedule_choice schedule{"exhaustive", 1, what.interleaving};
    if (what.is_candidate && judged.insert(what.interleaving).second && interruption() == 0) {
      judge_.judge(schedule, run_once(schedule, {}, false));
    }
  }
  for (const found& what : all.record.findings) {
    if (what.is_candidate && !judge_.is_convicted(what)) continue;
    found counted = what;
    std::uint64_t interleavings = 1;
    if (all.record.explored && what.number < all.record.explored->findings.size()) {
      const auto& seen = all.record.explored->findings[what.number];
      counted.count = seen.times;
      interleavings = seen.interleavings;
    }
    found_.add(counted, schedule_choice{"exhaustive", 1, what.interleaving}.text(), interleavings);
  }
}

void check_session::explore(const schedule_plan& plan, check_report& report) {
  const checked_run all = run_exploration(plan);
  const schedule_choice schedule{"exhaustive", 1, {}};
  report.was_broken_off = interruption() != 0;
  report.planned = 1;
  report.begun = 1;
  if (all.record.is_complete || !report.was_broken_off) note_end(schedule, all);
  if (failure_.empty()) {
    report.schedules.push_back({schedule.text(), all.outcome.status, all.outcome.seconds});
  }
  report.explored = all.record.explored;
  if (report.explored) {
    if (!report.explored->failure.empty() && failure_.empty()) failure_ = report.explored->failure;
    report.notes = notes_of(*report.explored);
  }
  take_explored(all);
  report.findings = found_.findings();
  report.seconds = seconds();
}

}  // namespace heddle::cli
