// Writes a profile as text, JSON and HTML.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "report/profile/profile_record.hpp"

namespace heddle_report {

struct profile_report {
  std::string program;
  std::vector<profiled_kernel> kernels;
  std::vector<std::string> notes;
};

// What could be improved at a line, and why.
struct advice {
  source_place at;
  std::string text;
  std::uint64_t weight;  // the work it would save; advice is sorted by it, largest first
};
std::vector<advice> advice_for(const profiled_kernel& kernel);

// Tables for a terminal, with the `lines` hottest lines of each kernel.
std::string text_of(const profile_report& what, std::size_t lines, bool has_colours);
nlohmann::json json_of(const profile_report& what, const std::string& version);
// A self-contained page: the source with the counters in the margin.
std::string html_of(const profile_report& what, const std::string& version);

// Text that the tables and the page share.
struct access_columns {
  std::string requests, lanes, sectors, used, wavefronts;  // "-": not applicable
};
access_columns columns_of(const profiled_access& one);
std::string title_of(const profiled_kernel& kernel);
struct summary_row {
  std::string name, value, note;
};
std::vector<summary_row> summary_of(const profiled_kernel& kernel);

}  // namespace heddle_report
