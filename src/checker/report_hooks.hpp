// The report functions that a checked run calls.
// They are defined in src/report, so the checker does not depend on how findings are worded or
// stored.
#pragma once
#include <cstddef>
#include <deque>
#include <string>

#include <heddle_host/finding.hpp>

#include "checker/run_summary.hpp"

extern "C" {

void heddle_report_checked_run(const heddle_checker::run_summary& run);
// Reports the findings from `first` on while the run continues.
void heddle_report_new_findings(const std::deque<heddle_host::finding>& findings, std::size_t first,
                                const char* findings_file);
void heddle_report_stopped_run(const std::string& sentence, const char* findings_file);
}
