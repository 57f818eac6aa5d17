// Runs a program under one schedule after another and collects the findings.
#include "cli/check/check_session.hpp"

#include <fmt/core.h>
#include <report/check/causes.hpp>
#include <report/check/finding_words.hpp>
#include <report/check/kinds.hpp>
#include <report/check/place_words.hpp>
#include <report/check/ran_lines.hpp>
#include <report/fidelity/ran_operations.hpp>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstring>
#include <fstream>
#include <map>
#include <utility>

namespace heddle::cli {
namespace {

constexpr unsigned most_unsteady = 3;  // then outputs are no longer compared

using heddle_report::check_report;
using heddle_report::found;

std::string last_lines(const std::string& text) {
  constexpr std::size_t most = 2000;
  return text.size() <= most ? text : "…" + text.substr(text.size() - most);
}

std::string how_it_ended(int status) {
  if (status <= 128) return fmt::format("returned {}", status);
  return fmt::format("was killed by signal {} ({})", status - 128, strsignal(status - 128));
}

heddle_report::judged_run comparable(const checked_run& one) {
  return {one.outcome.status, one.outcome.output, one.record.is_complete};
}

}  // namespace

check_session::check_session(std::filesystem::path program, std::vector<std::string> arguments,
                             std::filesystem::path folder, int shown_on)
    : program_(std::move(program)),
      arguments_(std::move(arguments)),
      folder_(std::move(folder)),
      shown_on_(shown_on),
      judge_([this](const std::string& schedule,
                    const run_variation& how) -> std::optional<heddle_report::judged_run> {
        const checked_run one = run_once(read_schedule(schedule), how, false);
        if (interruption() != 0) return std::nullopt;
        return comparable(one);
      }) {
  std::filesystem::create_directory(ran_code_folder());
}

std::filesystem::path check_session::ran_code_folder() const { return folder_ / "ran"; }

// Every run, finished or not, adds its marks to those of the earlier runs.
void check_session::note_what_ran(check_report& report) const {
  heddle_report::ran_lines ran;
  ran.add_folder(ran_code_folder());
  report.missed = ran.result();
  heddle_report::ran_operations operations;
  operations.add_folder(ran_code_folder());
  report.fidelity = operations.result();
  report.fidelity.missed = report.missed;
  report.fidelity_line = line_of(report.fidelity);
}

double check_session::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
}

heddle_checker::settings check_session::usual_settings(const schedule_choice& schedule,
                                                       const run_variation& how,
                                                       const std::filesystem::path& file) const {
  heddle_checker::settings settings;
  settings.schedule = schedule.name;
  settings.seed = schedule.seed;
  settings.turns = schedule.turns;
  settings.parts_active_lanes = how.parts_active_lanes;
  settings.keeps_all_readers = keeps_all_readers_;
  settings.slows_clocks = how.slows_clocks;
  settings.threads_by_number = how.threads_by_number;
  settings.blocks = how_.blocks;
  settings.samples_launches = !how_.checks_all;
  settings.budget = static_cast<std::uint64_t>(std::ceil(how_.budget));
  settings.findings_file = file.string();
  settings.ran_code_folder = ran_code_folder().string();
  return settings;
}

checked_run check_session::run_once(const schedule_choice& schedule, const run_variation& how,
                                    bool is_first) {
  const std::filesystem::path file = folder_ / "findings";
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
  child_request request{program_, arguments_, {}, is_first, shown_on_};
  request.settings = text_of(usual_settings(schedule, how, file));
  if (progress_ != nullptr && !progress_->is_silent()) {
    std::filesystem::remove(file.string() + ".now", ignored);
    request.while_it_runs = [this, &file] {
      print_new_findings(file, *progress_);
      show_position(file, *progress_);
    };
  }
  checked_run done;
  done.outcome = run_checked_child(request, input_);
  done.record = heddle_report::read_run_record(file);
  keeps_all_readers_ = keeps_all_readers_ || done.record.has_released;
  return done;
}

void check_session::judge(const schedule_choice& schedule, const checked_run& one) {
  judge_.judge(schedule.text(), one.record.findings, comparable(one));
}

// Prints a short line for each new finding as soon as it is made; the report has the details.
void check_session::print_new_findings(const std::filesystem::path& file, progress_line& progress) {
  for (const found& what : heddle_report::read_run_record(file).findings) {
    if (what.is_candidate ||
        !printed_findings_.insert(heddle_report::fingerprint_of(what)).second) {
      continue;
    }
    const auto line = std::find_if(what.places.begin(), what.places.end(),
                                   [](const auto& place) { return place.at.line != 0; });
    progress.print_line(fmt::format(
        "found: {}   {}{}", heddle_report::name_of(what.kind), heddle_report::words_of(what).what,
        line == what.places.end() ? "" : fmt::format(" ({})", heddle_report::words_of(line->at))));
  }
}

// Shows the running kernel and the share of its blocks that have finished.
void check_session::show_position(const std::filesystem::path& file, progress_line& progress) {
  const auto now = heddle_report::read_run_position(file);
  if (!now || now->blocks == 0 || *now == position_) return;
  position_ = *now;
  shown_.kernel = now->kernel;
  shown_.percent = static_cast<unsigned>(100 * now->ended / now->blocks);
  shown_.seconds = seconds();
  progress.refresh(shown_);
}

void check_session::note_coverage(check_report& report, const checked_run& one) const {
  report.covered = one.record.covered;
  const auto& covered = report.covered;
  if (covered.launches_watched < covered.launches) {
    report.notes.push_back(
        fmt::format("{} of {} launches were watched, since some kernels are launched very often; "
                    "--all watches every launch",
                    covered.launches_watched, covered.launches));
  }
  if (how_.blocks != 0 && covered.blocks_watched < covered.blocks) {
    report.notes.push_back(
        fmt::format("{} of {} blocks were watched", covered.blocks_watched, covered.blocks));
  }
}

std::string check_session::why_not_finished(const schedule_choice& schedule,
                                            const checked_run& one) const {
  if (!one.record.unfinished.empty()) {
    return fmt::format(
        "schedule {} was not finished: kernel `{}` made no progress for longer than --timeout "
        "allows; if it is only slow, raise --timeout",
        schedule.text(), one.record.unfinished);
  }
  if (one.outcome.status == 128 + SIGXCPU || one.outcome.status == 128 + SIGKILL) {
    return fmt::format(
        "schedule {} was not finished: the program needs more than {:g} s of CPU time; raise the "
        "limit with --budget",
        schedule.text(), how_.budget);
  }
  return {};
}

void check_session::take_findings(const schedule_choice& schedule, const checked_run& one) {
  if (one.record.is_complete && interruption() == 0) judge(schedule, one);
  for (const found& what : one.record.findings) {
    has_hung_ = has_hung_ || what.kind == heddle_report::finding_kind::livelock;
    if (judge_.is_defect(what)) found_.add(what, schedule.text());
  }
}

// False if the program did not run to completion, so nothing is known about this run.
bool check_session::note_end(const schedule_choice& schedule, const checked_run& one) {
  if (!one.outcome.failure.empty()) {
    failure_ = fmt::format("cannot start {}: {}", program_.string(), one.outcome.failure);
    return false;
  }
  if (!one.record.stopped.empty()) {
    failure_ = one.record.stopped;
    return false;
  }
  if (one.record.is_complete) return true;
  failure_ = fmt::format(
      "the program {} under schedule {} and reported no findings: it must return from main or "
      "call exit()",
      how_it_ended(one.outcome.status), schedule.text());
  if (!one.outcome.messages.empty())
    failure_ += fmt::format("\n{}", last_lines(one.outcome.messages));
  return false;
}

// The output and exit code, which the user sees as the result.
heddle_report::printed check_session::result_of(const schedule_choice& schedule,
                                                const checked_run& one) {
  const int status = one.outcome.status;
  return {schedule.text(),
          one.outcome.output + (status == 0 ? "" : fmt::format("\n(exit code {})\n", status))};
}

void check_session::compare_with_first(const schedule_choice& schedule, const checked_run& one) {
  const heddle_report::printed other = result_of(schedule, one);
  if (first_result_.schedule.empty()) {
    first_result_ = other;
    return;
  }
  const bool has_difference = !difference_.text.empty() && !difference_.is_rounding;
  if (has_difference || unsteady_schedules_ == most_unsteady) return;
  auto difference = heddle_report::difference_of_outputs(first_result_, other, unsteady_);
  if (!difference.text.empty() && !difference.is_rounding) {
    // Lines that differ between two runs of one schedule do not count. The reruns slow the clocks,
    // so printed times do not count either, even if one schedule is always slower than another.
    for (const heddle_report::printed& known : {first_result_, other}) {
      const schedule_choice same = read_schedule(known.schedule);
      const auto again = result_of(same, run_once(same, {.slows_clocks = true}, false));
      if (interruption() != 0) return;
      unsteady_.merge(heddle_report::shapes_that_differ(known.text, again.text));
    }
    // Nor do lines that depend on the order of the host's threads.
    const auto by_number =
        result_of(schedule, run_once(schedule, {.threads_by_number = true}, false));
    if (interruption() != 0) return;
    unsteady_.merge(heddle_report::shapes_that_differ(other.text, by_number.text));
    difference = heddle_report::difference_of_outputs(first_result_, other, unsteady_);
    if (difference.text.empty()) ++unsteady_schedules_;
  }
  if (difference.text.empty()) return;
  difference_ = std::move(difference);
  difference_schedule_ = schedule.text();
}

// A difference is a finding only if no other finding explains it.
void check_session::judge_difference() {
  if (difference_.text.empty()) return;
  notes_.push_back(difference_.text);
  const auto findings = found_.findings();
  const bool is_explained =
      std::any_of(findings.begin(), findings.end(), [](const heddle_report::merged_finding& one) {
        return one.first.kind != heddle_report::finding_kind::leak &&
               !heddle_report::cause_of(one.first.cause).is_note;
      });
  if (difference_.is_rounding || is_explained) return;
  found what;
  what.kind = heddle_report::finding_kind::schedule_dependent;
  what.cause = heddle_report::finding_cause::different_results;
  found_.add(what, difference_schedule_);
}

void check_session::note_statuses(check_report& report) const {
  std::map<int, std::vector<std::string>> by_status;
  for (const auto& one : report.schedules) by_status[one.status].push_back(one.name);
  if (by_status.size() == 1 && by_status.begin()->first != 0) {
    report.notes.push_back(fmt::format("the program {}; this is not a finding",
                                       how_it_ended(by_status.begin()->first)));
  }
  if (by_status.size() < 2) return;
  std::string text;
  for (const auto& [status, names] : by_status) {
    text += fmt::format("{}{} in {}{}", text.empty() ? "" : "; it ", how_it_ended(status),
                        names.front(),
                        names.size() > 1 ? fmt::format(" and {} more", names.size() - 1) : "");
  }
  report.notes.push_back("the program " + text);
}

void check_session::run(schedule_plan& plan, check_report& report) {
  if (plan.explores()) return explore(plan, report);
  progress_line progress(how_.shows_progress);
  progress_ = &progress;
  report.planned = plan.count();
  keeps_all_readers_ =
      plan.count() == 1;  // for example a replay: no other run can find what this one misses
  while (failure_.empty() && interruption() == 0) {
    const std::size_t done = report.begun;
    // A schedule that hangs costs its whole time limit, and the next one probably would, too.
    const bool is_slow = has_hung_ || !unfinished_.empty();
    if ((is_slow && plan.is_default()) || (done > 0 && !plan.has_time(seconds(), done))) break;
    const auto schedule = plan.next();
    if (!schedule) break;
    shown_ = {schedule->text(), done,      plan.count(),
              found_.size(),    seconds(), plan.seconds_left(seconds(), done)};
    if (done > 0 || how_.shows_progress) progress.show(shown_);
    ++report.begun;
    const checked_run one = run_once(*schedule, {}, done == 0);
    if (done == 0) note_coverage(report, one);
    const std::string why = interruption() != 0 ? "" : why_not_finished(*schedule, one);
    if (unfinished_.empty()) unfinished_ = why;
    const bool is_whole = interruption() == 0 && why.empty() && note_end(*schedule, one);
    if (is_whole) {
      report.schedules.push_back({schedule->text(), one.outcome.status, one.outcome.seconds});
      compare_with_first(*schedule, one);
    }
    take_findings(*schedule, one);
  }
  progress.clear();
  progress_ = nullptr;
  if (failure_.empty()) failure_ = unfinished_;
  judge_difference();
  if (failure_.empty() && report.covered.launches == 0 && !how_.allows_no_kernels &&
      interruption() == 0) {
    failure_ =
        "no kernel was launched, so nothing was checked; if that is intended, use "
        "--allow-no-kernels";
  }
  report.was_interrupted = interruption() != 0;
  note_what_ran(report);
  report.findings = found_.findings();
  report.notes.insert(report.notes.end(), notes_.begin(), notes_.end());
  note_statuses(report);
  report.seconds = seconds();
}

}  // namespace heddle::cli
