// Explores all interleavings of a program and collects the findings.
#include <report/check/exploration.hpp>

#include <fmt/core.h>

#include <set>

#include "cli/check/check_session.hpp"

namespace heddle::cli {

using heddle_report::check_report;
using heddle_report::found;

checked_run check_session::run_exploration(const schedule_plan& plan) {
  const std::filesystem::path file = folder_ / "findings";
  const std::filesystem::path progress_file = folder_ / "findings.progress";
  progress_line progress;
  child_request request{program_, arguments_, {}, true, shown_on_};
  heddle_checker::settings settings = usual_settings({"exhaustive", 1, {}}, {}, file);
  if (plan.preemptions()) settings.preemptions = static_cast<unsigned>(*plan.preemptions());
  settings.seconds = plan.seconds().value_or(0);
  request.settings = text_of(settings);
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

// A candidate is judged by replaying the interleaving that first showed it. For undefined values,
// such a replay alone shows whether they matter.
void check_session::take_explored(const checked_run& all) {
  std::set<std::string> judged;
  for (const found& what : all.record.findings) {
    const schedule_choice schedule{"exhaustive", 1, what.interleaving};
    if (what.is_candidate && judged.insert(what.interleaving).second && interruption() == 0) {
      const checked_run again = run_once(schedule, {}, false);
      judge(schedule, again);
      for (const found& sure : again.record.findings) {
        if (!sure.is_candidate) judge_.convict(sure);
      }
    }
  }
  for (const found& what : all.record.findings) {
    if (!judge_.is_defect(what)) continue;
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
  report.was_interrupted = interruption() != 0;
  report.planned = 1;
  report.begun = 1;
  if (all.record.is_complete || !report.was_interrupted) note_end(schedule, all);
  if (failure_.empty()) {
    report.schedules.push_back({schedule.text(), all.outcome.status, all.outcome.seconds});
  }
  report.explored = all.record.explored;
  if (report.explored) {
    if (!report.explored->failure.empty() && failure_.empty()) failure_ = report.explored->failure;
    report.notes = notes_of(*report.explored);
  }
  take_explored(all);
  note_what_ran(report);
  report.findings = found_.findings();
  report.seconds = seconds();
}

}  // namespace heddle::cli
