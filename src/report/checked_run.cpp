// What a checked program leaves behind when it ends: lines for `heddle check`, or words.
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

#include <nlohmann/json.hpp>

#include "checker/run_summary.hpp"
#include "report/check_report.hpp"
#include "report/found_json.hpp"
#include "report/found_of.hpp"

namespace heddle_report {
namespace {

std::string schedule_text(const heddle_checker::settings& how) {
  if (!how.turns.empty()) return how.schedule + ':' + how.turns;
  return how.schedule == "converged" ? how.schedule : how.schedule + ':' + std::to_string(how.seed);
}

void write_lines(const heddle_checker::run_summary& run) {
  std::ofstream file(run.how.findings_file, std::ios::app);
  for (const auto& one : run.findings) {
    if (is_worth_telling(one)) file << to_json(found_of(one)).dump() << '\n';
  }
  nlohmann::json end{{"run", schedule_text(run.how)}};
  if (run.how.blocks != 0) {
    end["blocks_watched"] = run.blocks_watched;
    end["blocks"] = run.blocks;
  }
  file << end.dump() << '\n';
}

}  // namespace
}  // namespace heddle_report

extern "C" void heddle_report_checked_run(const heddle_checker::run_summary& run) {
  using namespace heddle_report;
  if (!run.how.findings_file.empty()) return write_lines(run);
  std::fflush(nullptr);
  std::size_t told = 0;
  for (const auto& one : run.findings) {
    if (!is_worth_telling(one)) continue;
    ++told;
    std::fprintf(stderr, "%s\n", text_of(found_of(one)).c_str());
  }
  const std::string count = told == 0 ? "no" : std::to_string(told);
  std::fprintf(stderr, "heddle: %s finding%s in schedule %s\n", count.c_str(), told == 1 ? "" : "s",
               schedule_text(run.how).c_str());
  if (told == 0) return;
  std::fflush(nullptr);
  _exit(1);
}
