// Runs a part of the program again and again, each time under another schedule, and puts what the
// checker says about it into words.
#include <heddle_host/check.hpp>

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include <heddle_host/checked_part.hpp>
#include <nlohmann/json.hpp>

#include "report/check_report.hpp"
#include "report/finding_json.hpp"
#include "report/finding_text.hpp"
#include "report/finding_words.hpp"

namespace heddle::host {
namespace {

using heddle_report::found;

struct one_run {
  std::vector<found> findings;
  std::size_t result = 0;
  bool has_failed = false;
};

class session {
 public:
  explicit session(const std::function<std::size_t()>& run) : run_(run) {}

  // False: a kernel has failed, and nothing can run any more.
  bool run(const std::string& schedule) {
    const one_run first = run_once(schedule);
    const bool goes_on = !first.has_failed;
    const bool has_candidate = std::any_of(first.findings.begin(), first.findings.end(),
                                           [](const found& what) { return what.is_candidate; });
    const bool matters = has_candidate && goes_on && depends_on_parting(schedule, first);
    for (const found& what : first.findings) {
      if (!what.is_candidate || matters) found_.add(what, schedule);
    }
    done_.push_back({schedule, 0, 0});
    return goes_on;
  }

  [[nodiscard]] findings result() const {
    heddle_report::check_report report;
    report.schedules = done_;
    std::vector<finding> all;
    for (const heddle_report::merged_finding& one : found_.findings()) {
      all.push_back(with_words(one, report));
    }
    return findings(std::move(all));
  }

 private:
  one_run run_once(const std::string& schedule, bool parts_active_lanes = true) {
    heddle_host::part_checker& checker = *heddle_host::current_part_checker();
    const std::size_t colon = schedule.find(':');
    cudaDeviceSynchronize();
    checker.begin_part(fmt::format("schedule={} seed={} parting={}", schedule.substr(0, colon),
                                   colon == schedule.npos ? "1" : schedule.substr(colon + 1),
                                   parts_active_lanes ? 1 : 0));
    one_run done;
    try {
      done.result = run_();
      cudaDeviceSynchronize();
    } catch (...) {
      cudaDeviceSynchronize();
      if (checker.end_part().has_failed) begin_anew();
      throw;
    }
    const heddle_host::checked_part part = checker.end_part();
    if (part.has_failed) begin_anew();
    for (const auto& one : part.findings) {
      if (!heddle_report::is_worth_telling(one)) continue;
      done.findings.push_back(heddle_report::read_finding(heddle_report::to_json(one)));
    }
    done.has_failed = part.has_failed;
    return done;
  }

  static void begin_anew() {
    cudaDeviceReset();
    static_cast<void>(cudaGetLastError());
  }

  // Whether the result is another one because lanes were parted, and is the same in all orders
  // when they are not.
  bool depends_on_parting(const std::string& schedule, const one_run& parted) {
    const std::size_t whole = run_once(schedule, false).result;
    if (whole == parted.result || run_once(schedule).result != parted.result) return false;
    for (const char* other : {"converged", "random:101", "pct:101", "random:102", "starve:101"}) {
      if (run_once(other, false).result != whole) return false;
    }
    return true;
  }

  static finding with_words(const heddle_report::merged_finding& one,
                            const heddle_report::check_report& report) {
    finding told{one.first.kind, one.first.kernel, heddle_report::words_of(one.first).what, {},
                 one.count,      one.schedules,    heddle_report::text_of(one, report)};
    for (const heddle_report::found_place& each : one.first.places) {
      told.places.push_back({each.role, each.at.file, each.at.line, each.at.source, each.kernel,
                             each.is_on_host, each.block, each.thread, each.warp, each.lane});
    }
    return told;
  }

  const std::function<std::size_t()>& run_;
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
        "heddle::host::check needs a program whose accesses are watched: build it with "
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
        fmt::format("a finding of kind {} was expected, and others were made:\n{}", kind, others));
  }
  if (expected.empty()) {
    throw unexpected_findings(
        fmt::format("a finding of kind {} was expected, and none was made\n{}", kind,
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
