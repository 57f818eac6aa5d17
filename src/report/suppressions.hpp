// Findings that a project knows of and does not want to hear again.
#pragma once
#include <istream>
#include <set>
#include <string>
#include <vector>

#include "report/merge.hpp"

namespace heddle_report {

// Lines `kind pattern`: the pattern is a shell's, for the name of a kernel or of a file. `*` is
// every kind; `#` begins a comment.
class suppressions {
 public:
  // Adds the lines of a file, whose name is for messages. Throws std::runtime_error with a
  // sentence.
  void read(std::istream& lines, const std::string& name);
  // The `file:line` of the first that matches; empty if there is none.
  [[nodiscard]] std::string match(const found& what) const;

 private:
  struct line {
    std::string kind, pattern, place;
  };
  std::vector<line> all_;
};

// The findings of an earlier day, by fingerprint. Throws std::runtime_error with a sentence.
std::set<std::string> read_baseline(std::istream& lines, const std::string& name);

// A line for each finding that counts or stands in the old baseline, sorted, to be kept under
// version control.
std::string baseline_of(const std::vector<merged_finding>& findings);

}  // namespace heddle_report
