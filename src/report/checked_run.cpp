// What a checked program leaves when it ends: lines for `heddle check`, or words.
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <deque>
#include <fstream>

#include <nlohmann/json.hpp>

#include "checker/coverage.hpp"
#include "report/finding_json.hpp"
#include "report/finding_text.hpp"

namespace {

using heddle_checker::coverage;
using heddle_host::finding;
using heddle_host::finding_kind;
using nlohmann::json;

json to_json(const coverage& what) {
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

// A finding is written when it is made and once more, with its count, at the end: the later line of
// an id is the one that counts. Copies of the process go on with the ids of the first.
void write_findings(std::ofstream& file, const std::deque<finding>& findings, std::size_t first) {
  static const auto run = static_cast<std::uint64_t>(getpid());
  for (std::size_t i = first; i < findings.size(); ++i) {
    if (!heddle_report::is_worth_telling(findings[i])) continue;
    json one = heddle_report::to_json(findings[i]);
    one["id"] = std::to_string(run) + ':' + std::to_string(i);
    write_line(file, one);
  }
}

}  // namespace

extern "C" void heddle_report_new_findings(const std::deque<finding>& findings, std::size_t first,
                                           const char* findings_file) {
  std::ofstream file(findings_file, std::ios::app);
  write_findings(file, findings, first);
}

extern "C" void heddle_report_ended_run(const char* why, const char* findings_file,
                                        const coverage& covered) {
  std::ofstream file(findings_file, std::ios::app);
  write_line(file, {{"ended", why}, {"covered", to_json(covered)}});
}

extern "C" void heddle_report_checked_run(const std::deque<finding>& findings, std::uint64_t digest,
                                          const char* settings, const char* findings_file,
                                          const coverage& covered) {
  if (*findings_file != '\0') {
    std::ofstream file(findings_file, std::ios::app);
    write_findings(file, findings, 0);
    write_line(file, {{"run", settings}, {"digest", digest}, {"covered", to_json(covered)}});
    return;
  }
  std::fflush(nullptr);
  std::size_t told = 0;
  bool is_unfinished = false;
  for (const auto& one : findings) {
    if (!heddle_report::is_worth_telling(one)) continue;
    if (one.kind == finding_kind::unfinished) {
      is_unfinished = true;
    } else {
      ++told;
    }
    std::fputs(heddle_report::describe(one).c_str(), stderr);
  }
  std::fprintf(stderr, "heddle: checked (%s): %zu findings%s\n", settings, told,
               is_unfinished ? ", not finished" : "");
  if (told == 0 && !is_unfinished) return;
  std::fflush(nullptr);
  _exit(told != 0 ? 1 : 2);
}
