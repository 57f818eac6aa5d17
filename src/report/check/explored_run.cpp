// Runs at the end of an exploration: writes records for `heddle check`, or prints a summary.
#include <cstdio>
#include <fstream>
#include <string>

#include <nlohmann/json.hpp>

#include "checker/explore/exploration_summary.hpp"
#include "report/check/check_report.hpp"
#include "report/check/found_json.hpp"
#include "report/check/found_of.hpp"
#include "report/check/run_files.hpp"

namespace heddle_report {

using nlohmann::json;

void write_explored(const heddle_host::finding& what, const std::string& turns, std::size_t number,
                    const std::string& findings_file) {
  if (!is_worth_reporting(what)) return;
  if (findings_file.empty()) {
    std::fprintf(stderr, "%sheddle: in schedule exhaustive:%s\n", text_of(found_of(what)).c_str(),
                 turns.c_str());
    return;
  }
  json one = to_json(found_of(what));
  one["interleaving"] = turns;
  one["number"] = number;
  std::ofstream(findings_file, std::ios::app) << one.dump() << '\n';
}

void write_exploration(const heddle_checker::exploration_summary& what, bool is_last,
                       const std::string& findings_file) {
  if (findings_file.empty()) {
    if (!is_last) return;
    std::fprintf(stderr, "heddle: explored %llu interleavings, pruned %llu%s%s%s\n",
                 static_cast<unsigned long long>(what.explored),
                 static_cast<unsigned long long>(what.pruned), what.is_at_end ? "; complete" : "",
                 what.stopped.empty() ? "" : "; ", (what.stopped + what.failure).c_str());
    return;
  }
  json all{{"explored", what.explored}, {"pruned", what.pruned},   {"beyond", what.beyond},
           {"fraction", what.fraction}, {"seconds", what.seconds}, {"complete", what.is_at_end},
           {"stopped", what.stopped},   {"failure", what.failure}, {"guessed", what.has_guessed},
           {"results", what.results}};
  all["findings"] = json::array();
  for (const auto& one : what.findings) {
    all["findings"].push_back({{"times", one.times}, {"interleavings", one.interleavings}});
  }
  if (is_last) {
    all["kept_results"] = json::array();
    for (const auto& one : what.kept_results) {
      all["kept_results"].push_back({{"output", one.output},
                                     {"status", one.status},
                                     {"interleaving", one.turns},
                                     {"interleavings", one.interleavings}});
    }
  }
  // A program may print bytes that are not UTF-8.
  const std::string line =
      json{{"exploration", all}}.dump(-1, ' ', false, json::error_handler_t::replace) + '\n';
  if (is_last) {
    std::ofstream(findings_file, std::ios::app) << line;
  } else {
    // Renamed into place, so a reader never sees a partial file.
    const std::string file = std::string(findings_file) + ".progress";
    std::ofstream(file + ".new") << line;
    std::rename((file + ".new").c_str(), file.c_str());
  }
}

}  // namespace heddle_report
