// Reports which kernel a run has reached and how many of its blocks have ended.
#pragma once
#include <chrono>
#include <cstdint>
#include <string>

#include "checker/run_reporter.hpp"

namespace heddle_checker {

class run_progress {
 public:
  void grid_begins(const char* kernel, std::uint64_t blocks, const std::string& findings_file) {
    kernel_ = kernel;
    ended_ = 0;
    blocks_ = blocks;
    report_now_and_then(findings_file);
  }
  void block_ends(const std::string& findings_file) {
    ++ended_;
    report_now_and_then(findings_file);
  }

 private:
  using clock = std::chrono::steady_clock;

  void report_now_and_then(const std::string& findings_file) {
    if (findings_file.empty()) return;
    const auto now = clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(200);
    run_reporter::instance().report_progress(kernel_, ended_, blocks_, findings_file + ".now");
  }

  std::string kernel_;  // its signature
  std::uint64_t ended_ = 0;
  std::uint64_t blocks_ = 0;
  clock::time_point next_{};
};

}  // namespace heddle_checker
