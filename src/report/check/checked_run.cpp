// Runs at the end of a checked program: writes records for `heddle check`, or prints the findings.
#include <unistd.h>

#include <cstdio>
#include <deque>
#include <fstream>
#include <string>

#include <nlohmann/json.hpp>

#include "checker/run_summary.hpp"
#include "report/check/causes.hpp"
#include "report/check/check_report.hpp"
#include "report/check/found_json.hpp"
#include "report/check/found_of.hpp"
#include "report/check/ran_lines.hpp"
#include "report/check/run_files.hpp"
#include "report/kernel_name.hpp"

namespace heddle_report {
namespace {

using heddle_checker::coverage;
using heddle_host::finding;
using nlohmann::json;

std::string schedule_text(const heddle_checker::settings& how) {
  if (!how.turns.empty()) return how.schedule + ':' + how.turns;
  return how.schedule == "converged" ? how.schedule : how.schedule + ':' + std::to_string(how.seed);
}

json covered_json(const coverage& what) {
  return {{"kernels", what.kernels},
          {"launches", what.launches},
          {"launches_watched", what.launches_watched},
          {"blocks", what.blocks},
          {"blocks_watched", what.blocks_watched},
          {"accesses", what.accesses}};
}

void write_line(std::ofstream& file, const json& what) {
  file << what.dump(-1, ' ', false, json::error_handler_t::replace) << '\n';
}

// A finding is written when it is made and again at the end, with its count: the later line of an
// id wins. Forked processes continue the ids of their parent.
void write_findings(std::ofstream& file, const std::deque<finding>& findings, std::size_t first) {
  static const auto run = static_cast<std::uint64_t>(getpid());
  for (std::size_t i = first; i < findings.size(); ++i) {
    if (!is_worth_reporting(findings[i])) continue;
    json one = to_json(found_of(findings[i]));
    one["id"] = std::to_string(run) + ':' + std::to_string(i);
    write_line(file, one);
  }
}

void write_lines(const heddle_checker::run_summary& run) {
  std::ofstream file(run.how.findings_file, std::ios::app);
  write_findings(file, run.findings, 0);
  write_line(file, {{"run", schedule_text(run.how)},
                    {"covered", covered_json(run.covered)},
                    {"hands_on", run.has_released}});
}

}  // namespace

void write_new_findings(const std::deque<heddle_host::finding>& findings, std::size_t first,
                        const std::string& findings_file) {
  std::ofstream file(findings_file, std::ios::app);
  write_findings(file, findings, first);
}

void write_stop(const std::string& sentence, const std::string& findings_file) {
  std::ofstream file(findings_file, std::ios::app);
  write_line(file, {{"stopped", sentence}});
}

void write_progress(const std::string& kernel, std::uint64_t ended, std::uint64_t blocks,
                    const std::string& file) {
  std::ofstream now(file);
  write_line(now, {{"kernel", kernel_name(kernel)}, {"ended", ended}, {"blocks", blocks}});
}

void write_run(const heddle_checker::run_summary& run) {
  if (!run.how.findings_file.empty()) return write_lines(run);
  std::fflush(nullptr);
  // As in `heddle check`: findings at the same lines are merged; leaks and notes do not count.
  merge all;
  std::size_t defects = 0, leaks = 0, notes = 0;
  bool is_unfinished = false;
  const auto print = [](const found& one) { std::fprintf(stderr, "%s\n", text_of(one).c_str()); };
  for (const auto& one : run.findings) {
    if (!is_worth_reporting(one)) continue;
    found what = found_of(one);
    if (what.kind == finding_kind::unfinished) {
      is_unfinished = true;
      print(what);
    } else if (what.is_candidate) {  // not judged: this program runs only once
      ++defects;
      print(what);
    } else {
      all.add(what, "");
    }
  }
  for (const merged_finding& one : all.findings()) {
    ++(one.first.kind == finding_kind::leak ? leaks
       : cause_of(one.first.cause).is_note  ? notes
                                            : defects);
    print(one.first);
  }
  const std::string count = defects == 0 ? "no" : std::to_string(defects);
  const auto counted = [](std::size_t count, const char* what) {
    if (count == 0) return std::string();
    return "; " + std::to_string(count) + " " + what + (count == 1 ? "" : "s");
  };
  ran_lines ran;
  for (const heddle_host::ran_module* one : run.ran) ran.add(*one);
  std::fprintf(stderr, "heddle: %s finding%s in schedule %s%s%s%s\n%s%s", count.c_str(),
               defects == 1 ? "" : "s", schedule_text(run.how).c_str(),
               is_unfinished ? ", not finished" : "", counted(leaks, "leak").c_str(),
               counted(notes, "note").c_str(),
               covered_line(run.covered, is_unfinished ? 0 : 1, 1).c_str(),
               text_of(ran.result()).c_str());
  if (defects == 0 && !is_unfinished) return;
  std::fflush(nullptr);
  _exit(defects != 0 ? 1 : 2);
}

}  // namespace heddle_report
