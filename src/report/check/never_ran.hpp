// Kernel lines that no lane ran, and kernels that were never launched.
#pragma once
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace heddle_report {

struct line_range {
  std::string file;
  int first = 0;
  int last = 0;
  bool operator==(const line_range&) const = default;
};

struct never_ran {
  bool is_known = false;  // the program recorded what its lanes ran
  std::vector<line_range> lines;
  std::vector<std::string> kernels;  // names of kernels that were never launched
};

// One line of text for lines and one for kernels; empty if everything ran or nothing is known.
std::string text_of(const never_ran& what);
// `lines_never_run` and `kernels_never_run`, unless nothing is known.
void add_json(nlohmann::json& coverage, const never_ran& what);

}  // namespace heddle_report
