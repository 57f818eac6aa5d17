// Runs a part of the program under one schedule after another and formats the checker's findings.
#include <heddle_check/check.hpp>

#include <cuda_runtime_api.h>
#include <fmt/core.h>

#include <charconv>
#include <optional>
#include <ostream>
#include <stdexcept>

#include <heddle_host/checked_part.hpp>

#include "report/check/candidate_judge.hpp"
#include "report/check/causes.hpp"
#include "report/check/check_report.hpp"
#include "report/check/finding_words.hpp"
#include "report/check/found_of.hpp"
#include "report/check/kinds.hpp"

namespace heddle::host {
namespace {

using heddle_report::found;

struct one_run {
  std::vector<found> findings;
  heddle_report::judged_run signs;
};

// Parses a schedule such as `random:3`.
heddle_host::part_settings settings_of(const std::string& schedule,
                                       const heddle_report::run_variation& how) {
  const std::size_t colon = schedule.find(':');
  heddle_host::part_settings settings{schedule.substr(0, colon), 1, how.parts_active_lanes};
  if (colon == schedule.npos) return settings;
  const char* const end = schedule.data() + schedule.size();
  const auto [stopped, error] = std::from_chars(schedule.data() + colon + 1, end, settings.seed);
  if (error != std::errc{} || stopped != end) {
    throw std::invalid_argument("expected a schedule such as random:3, not '" + schedule + "'");
  }
  return settings;
}

class session {
 public:
  explicit session(const std::function<std::size_t()>& run)
      : run_(run), judge_([this](const std::string& schedule, const auto& how) {
          return std::optional(run_once(schedule, how).signs);
        }) {}

  // Returns false if a kernel failed; then no other schedule can run.
  bool run(const std::string& schedule) {
    const one_run first = run_once(schedule);
    // The first run of a part is not compared: the runtime may have allocated memory during it.
    if (first.signs.is_complete && judge_.has_work(first.findings)) {
      judge_.judge(schedule, first.findings, run_once(schedule).signs);
    }
    for (const found& what : first.findings) {
      if (judge_.is_defect(what)) found_.add(what, schedule);
    }
    done_.push_back({schedule, 0, 0});
    return first.signs.is_complete;
  }

  [[nodiscard]] findings result() const {
    heddle_report::check_report report;
    report.schedules = done_;
    std::vector<finding> all;
    for (const heddle_report::merged_finding& one : found_.findings()) {
      if (heddle_report::cause_of(one.first.cause).is_note) continue;
      all.push_back(with_words(one, report));
    }
    return findings(std::move(all));
  }

 private:
  one_run run_once(const std::string& schedule, const heddle_report::run_variation& how = {}) {
    heddle_host::part_checker& checker = *heddle_host::current_part_checker();
    cudaDeviceSynchronize();
    checker.begin_part(settings_of(schedule, how));
    one_run done;
    try {
      done.signs.output = std::to_string(run_());
      cudaDeviceSynchronize();
    } catch (...) {
      cudaDeviceSynchronize();
      if (checker.end_part().has_failed) reset_device();
      throw;
    }
    const heddle_host::checked_part part = checker.end_part();
    if (part.has_failed) reset_device();
    for (const auto& one : part.findings) {
      if (heddle_report::is_worth_reporting(one)) {
        done.findings.push_back(heddle_report::found_of(one));
      }
    }
    done.signs.status = part.has_failed ? 1 : 0;
    done.signs.is_complete = !part.has_failed;
    return done;
  }

  static void reset_device() {
    cudaDeviceReset();
    static_cast<void>(cudaGetLastError());
  }

  static finding with_words(const heddle_report::merged_finding& one,
                            const heddle_report::check_report& report) {
    finding result{heddle_report::name_of(one.first.kind),
                   one.first.kernel,
                   heddle_report::words_of(one.first).what,
                   {},
                   one.count,
                   one.schedules,
                   heddle_report::text_of(one, report)};
    for (const heddle_report::found_place& each : one.first.places) {
      result.places.push_back({each.role, each.at.file, each.at.line, each.at.source, each.kernel,
                               each.is_on_host, each.block, each.thread, each.warp, each.lane});
    }
    return result;
  }

  const std::function<std::size_t()>& run_;
  heddle_report::candidate_judge judge_;
  heddle_report::merge found_;
  std::vector<heddle_report::checked_schedule> done_;
};

}  // namespace

std::vector<std::string> usual_schedules() {
  return {"converged", "random:1", "pct:1", "random:2", "starve:1"};
}

findings detail::check_runs(const check_options& options, const std::function<std::size_t()>& run) {
  if (heddle_host::current_part_checker() == nullptr) {
    throw std::logic_error(
        "heddle::host::check needs an instrumented program: build it with "
        "`heddle cc --check`");
  }
  session all(run);
  for (const std::string& schedule : options.schedules) {
    if (!all.run(schedule)) break;
  }
  return all.result();
}

findings detail::expect_kind(const std::string& kind, const findings& found) {
  std::vector<finding> expected;
  std::string others;
  for (const finding& one : found) {
    if (one.kind == kind) {
      expected.push_back(one);
    } else if (one.kind != "uninitialized") {
      others += one.text;
    }
  }
  if (!others.empty()) {
    throw unexpected_findings(
        fmt::format("expected a finding of kind {}, but got others:\n{}", kind, others));
  }
  if (expected.empty()) {
    throw unexpected_findings(fmt::format("expected a finding of kind {}, but got none\n{}", kind,
                                          found.empty() ? "" : found[0].text));
  }
  return findings(std::move(expected));
}

std::ostream& operator<<(std::ostream& to, const finding& what) { return to << what.text; }

std::ostream& operator<<(std::ostream& to, const findings& all) {
  for (const finding& one : all) to << one;
  return to;
}

}  // namespace heddle::host
