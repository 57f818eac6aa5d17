// What the report makes of a checked run. Declared here and defined in src/report, so that the
// checker does not depend on how findings are put into words or files.
#pragma once
#include <cstddef>
#include <deque>
#include <string>

#include <heddle_host/finding.hpp>

#include "checker/run_summary.hpp"

extern "C" {

void heddle_report_checked_run(const heddle_checker::run_summary& run);
// Findings from `first` on, while the run goes on.
void heddle_report_new_findings(const std::deque<heddle_host::finding>& findings, std::size_t first,
                                const char* findings_file);
void heddle_report_stopped_run(const std::string& sentence, const char* findings_file);
}
