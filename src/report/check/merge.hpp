// Merges the same defect in a thousand lanes and ten schedules into one finding.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "report/check/found.hpp"

namespace heddle_report {

struct merged_finding {
  found first;                         // its first occurrence
  std::uint64_t count = 0;             // occurrences over all schedules
  std::vector<std::string> schedules;  // those that showed it: `random:3`; the first one replays it
  std::vector<std::string> kernels;    // the kernels that have it
  std::string fingerprint;             // stays the same as long as the text of the lines does
  std::string silenced_by;             // a suppression or a baseline; empty if the finding counts
  std::uint64_t interleavings = 0;     // in an exploration: how many showed it
};

class merge {
 public:
  void add(const found& what, const std::string& schedule, std::uint64_t interleavings = 0);
  // Sorted by kind, then by place.
  [[nodiscard]] std::vector<merged_finding> findings() const;
  [[nodiscard]] std::size_t size() const { return all_.size(); }

 private:
  std::vector<std::pair<std::string, merged_finding>> all_;  // keyed by identity
};

// A hash of the kind, the cause, the kernel without its template arguments and the text of the
// lines, so moving a kernel within its file does not change it.
std::string fingerprint_of(const found& what);

// `reduce` from `reduce<T = int>`.
std::string without_arguments(const std::string& kernel);

}  // namespace heddle_report
