// Findings that a project knows of and has chosen not to see again.
#pragma once
#include <istream>
#include <set>
#include <string>
#include <vector>

#include "report/check/merge.hpp"

namespace heddle_report {

// Lines of the form `kind pattern`. The pattern is a shell pattern for the name of a kernel or
// file. The kind `*` matches all kinds; `#` begins a comment.
class suppressions {
 public:
  // Adds the lines of a file; `name` is for messages. Throws std::runtime_error with a sentence.
  void read(std::istream& lines, const std::string& name);
  // The `file:line` of the first match; empty if there is none.
  [[nodiscard]] std::string match(const found& what) const;

 private:
  struct line {
    std::string kind, pattern, place;
  };
  std::vector<line> all_;
};

// Fingerprints of known findings. Throws std::runtime_error with a sentence.
std::set<std::string> read_baseline(std::istream& lines, const std::string& name);

// A sorted line for each finding that counts or is already in the old baseline, to be kept under
// version control.
std::string baseline_of(const std::vector<merged_finding>& findings);

}  // namespace heddle_report
