// The same defect in a thousand lanes and in ten schedules is one finding.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "report/found.hpp"

namespace heddle_report {

struct merged_finding {
  found first;                         // as it was seen first
  std::uint64_t count = 0;             // times, over all schedules
  std::vector<std::string> schedules;  // that showed it: `random:3`; the first one replays it
  std::vector<std::string> kernels;    // those that have it
  std::string fingerprint;             // the same as long as the lines' texts are
  std::string silenced_by;             // a suppression or a baseline; empty: it counts
  std::uint64_t interleavings = 0;     // that showed it, in an exploration
};

class merge {
 public:
  void add(const found& what, const std::string& schedule, std::uint64_t interleavings = 0);
  // Sorted by kind, then by place.
  [[nodiscard]] std::vector<merged_finding> findings() const;
  [[nodiscard]] std::size_t size() const { return all_.size(); }

 private:
  std::vector<std::pair<std::string, merged_finding>> all_;  // by what makes them the same
};

// Of a kind, a cause, a kernel without its template arguments, and the texts of lines, so that
// moving a kernel within its file changes nothing.
std::string fingerprint_of(const found& what);

// `reduce` from `reduce<T = int>`.
std::string without_arguments(const std::string& kernel);

}  // namespace heddle_report
