// Runs a program under one schedule after another and collects the findings.
#pragma once
#include <checker/settings.hpp>
#include <report/check/candidate_judge.hpp>
#include <report/check/check_report.hpp>
#include <report/check/run_record.hpp>
#include <report/outputs.hpp>

#include <chrono>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "cli/check/checked_child.hpp"
#include "cli/check/kept_input.hpp"
#include "cli/check/schedule_plan.hpp"
#include "cli/progress.hpp"

namespace heddle::cli {

using heddle_report::run_variation;

struct checked_run {
  child_outcome outcome;
  heddle_report::run_record record;
};

class check_session {
 public:
  // `folder` holds the files of the runs.
  check_session(std::filesystem::path program, std::vector<std::string> arguments,
                std::filesystem::path folder, int shown_on);

  // How much of each run to check, the time limits, and what to print while it runs.
  void follow(const frontend::check_options& how) { how_ = how; }
  // Runs the plan, or as much of it as time allows, and fills in the report.
  void run(schedule_plan& plan, heddle_report::check_report& report);
  // Why a run did not finish; empty if all did.
  [[nodiscard]] const std::string& failure() const { return failure_; }

 private:
  checked_run run_once(const schedule_choice& schedule, const run_variation& how, bool is_first);
  // Explores all interleavings within a single run of the program.
  void explore(const schedule_plan& plan, heddle_report::check_report& report);
  checked_run run_exploration(const schedule_plan& plan);
  void take_explored(const checked_run& all);
  [[nodiscard]] heddle_checker::settings usual_settings(const schedule_choice& schedule,
                                                        const run_variation& how,
                                                        const std::filesystem::path& file) const;
  void judge(const schedule_choice& schedule, const checked_run& one);
  void take_findings(const schedule_choice& schedule, const checked_run& one);
  bool note_end(const schedule_choice& schedule, const checked_run& one);
  // Why the run was stopped early; empty if it was not.
  [[nodiscard]] std::string why_not_finished(const schedule_choice& schedule,
                                             const checked_run& one) const;
  [[nodiscard]] std::filesystem::path ran_code_folder() const;
  void note_what_ran(heddle_report::check_report& report) const;
  void note_coverage(heddle_report::check_report& report, const checked_run& one) const;
  void print_new_findings(const std::filesystem::path& file, progress_line& progress);
  [[nodiscard]] static heddle_report::printed result_of(const schedule_choice& schedule,
                                                        const checked_run& one);
  void show_position(const std::filesystem::path& file, progress_line& progress);
  void compare_with_first(const schedule_choice& schedule, const checked_run& one);
  void judge_difference();
  void note_statuses(heddle_report::check_report& report) const;
  [[nodiscard]] double seconds() const;

  std::filesystem::path program_;
  std::vector<std::string> arguments_;
  std::filesystem::path folder_;
  int shown_on_;
  frontend::check_options how_;
  kept_input input_;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  heddle_report::merge found_;
  heddle_report::candidate_judge judge_;
  heddle_report::printed first_result_;
  heddle_report::output_difference difference_;  // reproducible per schedule
  std::string difference_schedule_;
  heddle_report::line_shapes unsteady_;  // shapes of lines that vary under one schedule
  unsigned unsteady_schedules_ = 0;
  bool keeps_all_readers_ = false;  // keeping two readers of a word is not enough
  std::vector<std::string> notes_;
  std::set<std::string> printed_findings_;  // fingerprints
  progress_line* progress_ = nullptr;
  progress_line::state shown_{};
  heddle_report::run_position position_;
  bool has_hung_ = false;
  std::string unfinished_;  // the first schedule that was stopped, and why
  std::string failure_;
};

}  // namespace heddle::cli
