// What a checked run writes: lines of JSON for `heddle check`, or words.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

#include <heddle_host/finding.hpp>

#include "checker/explore/exploration_summary.hpp"
#include "checker/run_summary.hpp"

namespace heddle_report {

// As those of heddle_checker::run_reporter.
void write_run(const heddle_checker::run_summary& run);
void write_new_findings(const std::deque<heddle_host::finding>& findings, std::size_t first,
                        const std::string& findings_file);
void write_stop(const std::string& sentence, const std::string& findings_file);
void write_progress(const std::string& kernel, std::uint64_t ended, std::uint64_t blocks,
                    const std::string& file);
void write_explored(const heddle_host::finding& what, const std::string& turns, std::size_t number,
                    const std::string& findings_file);
void write_exploration(const heddle_checker::exploration_summary& what, bool is_last,
                       const std::string& findings_file);

}  // namespace heddle_report
