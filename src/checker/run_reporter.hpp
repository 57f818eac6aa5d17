// The interface through which a checked run hands over what it has found.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

#include <heddle_host/finding.hpp>

#include "checker/explore/exploration_summary.hpp"
#include "checker/run_summary.hpp"

namespace heddle_checker {

// src/report implements it. instance() is the only reference from the checker up to src/report:
// tools/include-arrows.txt lists it. An empty findings file: words on the standard error.
class run_reporter {
 public:
  static run_reporter& instance();

  virtual void report_run(const run_summary& run) = 0;
  // Findings from `first` on, while the run goes on.
  virtual void report_new(const std::deque<heddle_host::finding>& findings, std::size_t first,
                          const std::string& findings_file) = 0;
  // The run had to stop for a reason that says nothing about the program.
  virtual void report_stop(const std::string& sentence, const std::string& findings_file) = 0;
  // How far the run is: replaces what the file held.
  virtual void report_progress(const std::string& kernel, std::uint64_t blocks_ended,
                               std::uint64_t blocks, const std::string& file) = 0;
  virtual void report_explored(const heddle_host::finding& what, const std::string& turns,
                               std::size_t number, const std::string& findings_file) = 0;
  virtual void report_exploration(const exploration_summary& what, bool is_last,
                                  const std::string& findings_file) = 0;

 protected:
  ~run_reporter() = default;
};

}  // namespace heddle_checker
