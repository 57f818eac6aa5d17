// Writes the report as JSON.
#include <nlohmann/json.hpp>

#include "report/check/check_report.hpp"
#include "report/check/finding_words.hpp"
#include "report/check/found_json.hpp"

namespace heddle_report {

using nlohmann::json;

json coverage_json(const check_report& what) {
  json coverage{{"launches", what.covered.launches},
                {"launches_watched", what.covered.launches_watched},
                {"kernels", what.covered.kernels},
                {"blocks", what.covered.blocks},
                {"blocks_watched", what.covered.blocks_watched},
                {"accesses", what.covered.accesses},
                {"schedules_begun", what.begun},
                {"schedules_completed", what.schedules.size()}};
  add_json(coverage, what.missed);
  return coverage;
}

json json_of(const check_report& what, const std::string& version) {
  json all{{"heddle", version},
           {"program", what.program},
           {"seconds", what.seconds},
           {"broken_off", what.was_interrupted},
           {"suppressed", what.count_silenced()},
           {"fails", what.fails()},
           {"notes", what.notes}};
  if (!what.failure.empty()) all["failure"] = what.failure;
  all["coverage"] = coverage_json(what);
  if (what.fidelity.is_known) all["fidelity"] = to_json(what.fidelity);
  all["schedules"] = json::array();
  for (const checked_schedule& one : what.schedules) {
    all["schedules"].push_back(
        {{"schedule", one.name}, {"status", one.status}, {"seconds", one.seconds}});
  }
  if (what.explored) all["exploration"] = to_json(*what.explored);
  all["findings"] = json::array();
  for (const merged_finding& one : what.findings) {
    const finding_words words = words_of(one.first);
    json finding = to_json(one.first);
    finding["what"] = words.what;
    finding["why"] = words.why;
    finding["fix"] = words.fix;
    finding["count"] = one.count;
    finding["schedules"] = one.schedules;
    if (what.explored) finding["interleavings"] = one.interleavings;
    finding["kernels"] = one.kernels;
    finding["fingerprint"] = one.fingerprint;
    finding["replay"] = what.replay_line(one);
    if (!one.silenced_by.empty()) finding["suppressed_by"] = one.silenced_by;
    if (what.is_note(one)) finding["note"] = true;
    all["findings"].push_back(std::move(finding));
  }
  return all;
}

}  // namespace heddle_report
