// Reads the lines that a checked run wrote.
#include "report/check/run_record.hpp"

#include <algorithm>
#include <fstream>

#include <nlohmann/json.hpp>

#include "report/check/found_json.hpp"

namespace heddle_report {

using nlohmann::json;

namespace {

// A program may start other checked programs: each adds its coverage.
void add_covered(heddle_checker::coverage& all, const json& from) {
  for (const json& kernel : from.value("kernels", json::array())) {
    all.kernels.insert(kernel.get<std::string>());
  }
  const auto add = [&from](std::uint64_t& to, const char* name) {
    to += from.value(name, std::uint64_t{0});
  };
  add(all.launches, "launches");
  add(all.launches_watched, "launches_watched");
  add(all.blocks, "blocks");
  add(all.blocks_watched, "blocks_watched");
  add(all.accesses, "accesses");
}

void add_finding(run_record& to, found what) {
  if (what.kind == finding_kind::unfinished) {
    to.unfinished = what.kernel;
    return;
  }
  const auto known = std::find_if(to.findings.begin(), to.findings.end(), [&](const found& one) {
    return !one.id.empty() && one.id == what.id;
  });
  if (known == to.findings.end()) {
    to.findings.push_back(std::move(what));
  } else {
    *known = std::move(what);
  }
}

}  // namespace

std::optional<run_position> read_run_position(const std::filesystem::path& findings_file) {
  std::ifstream file(findings_file.string() + ".now");
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  const json one = json::parse(line, nullptr, false);
  if (!one.is_object()) return std::nullopt;
  return run_position{one.value("kernel", ""), one.value("ended", std::uint64_t{0}),
                      one.value("blocks", std::uint64_t{0})};
}

run_record read_run_record(const std::filesystem::path& file) {
  run_record record;
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    const json one = json::parse(line, nullptr, false);
    if (!one.is_object()) continue;
    if (one.contains("kind")) {
      add_finding(record, read_finding(one));
    } else if (one.contains("exploration")) {
      record.explored = exploration_from(one["exploration"]);
      record.is_complete = true;
    } else if (one.contains("stopped")) {
      record.stopped = one.value("stopped", "");
    } else if (one.contains("run")) {
      // A program may start other checked programs: each adds its own line.
      record.is_complete = true;
    }
    if (one.contains("covered")) add_covered(record.covered, one["covered"]);
    record.has_released = record.has_released || one.value("hands_on", false);
  }
  return record;
}

}  // namespace heddle_report
