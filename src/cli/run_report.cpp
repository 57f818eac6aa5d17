// Prints and writes the report of a run.
#include "cli/run_report.hpp"

#include <fmt/core.h>
#include <files/output.hpp>
#include <report/check/ran_lines.hpp>
#include <report/fidelity/ran_operations.hpp>

#include <cstdio>
#include <string>

#include <nlohmann/json.hpp>

namespace heddle::cli {

std::vector<named_output> outputs_of(const frontend::run_options& options) {
  const std::string json = options.json_file.empty() ? "-" : options.json_file;
  return {{"--report", options.report_file}, {"--json", options.writes_json ? json : ""}};
}

void report_run(const frontend::command_line& line, const std::filesystem::path& marks) {
  heddle_report::ran_operations operations;
  operations.add_folder(marks);
  heddle_report::fidelity_report report = operations.result();
  report.program = line.inputs.front().path;
  heddle_report::ran_lines lines;
  lines.add_folder(marks);
  report.missed = lines.result();
  std::fflush(stdout);
  if (line.run.prints_report) fmt::print(stderr, "{}", text_of(report));
  for (const named_output& output : outputs_of(line.run)) {
    if (output.file.empty()) continue;
    if (output.option == "--report") {
      write_output(output, text_of(report));
      continue;
    }
    nlohmann::json all{{"heddle", HEDDLE_VERSION}, {"program", report.program}};
    all["fidelity"] = to_json(report);
    // A path may contain bytes that are not UTF-8.
    write_output(output, all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n');
  }
}

}  // namespace heddle::cli
