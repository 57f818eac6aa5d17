// Reads the lines that a checked run has written.
#include "report/run_record.hpp"

#include <fstream>

#include <nlohmann/json.hpp>

#include "report/found_json.hpp"

namespace heddle_report {

using nlohmann::json;

run_record read_run_record(const std::filesystem::path& file) {
  run_record record;
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    const json one = json::parse(line, nullptr, false);
    if (!one.is_object()) continue;
    if (one.contains("kind")) {
      record.findings.push_back(read_finding(one));
    } else if (one.contains("exploration")) {
      record.explored = exploration_from(one["exploration"]);
      record.is_complete = true;
    } else if (one.contains("stopped")) {
      record.stopped = one.value("stopped", "");
    } else if (one.contains("run")) {
      // A program may start others of its kind: each adds its lines.
      record.is_complete = true;
      record.blocks_watched += one.value("blocks_watched", std::uint64_t{0});
      record.blocks += one.value("blocks", std::uint64_t{0});
    }
  }
  return record;
}

}  // namespace heddle_report
